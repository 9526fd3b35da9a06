<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>34.6541814 135.4284003 0</gml:lowerCorner>
  <gml:upperCorner>34.6550321 135.4294106 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27019">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">461</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>8</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>9999</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.6541814 135.4287847 0 34.6544765 135.4294106 0 34.6548447 135.4294102 0 34.6550321 135.4290262 0 34.654737 135.4284003 0 34.6543688 135.4284006 0 34.6541814 135.4287847 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27107-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
