<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.6294916 139.793453 0</gml:lowerCorner>
  <gml:upperCorner>35.6307109 139.7949481 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13059">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:yearOfConstruction>1995</bldg:yearOfConstruction>
   <bldg:measuredHeight uom="m">58.08</bldg:measuredHeight>
   <bldg:storeysAboveGround>8</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6294916 139.7942053 0 35.6301051 139.7949481 0 35.6307109 139.7941958 0 35.6300974 139.793453 0 35.6294916 139.7942053 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13108-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
