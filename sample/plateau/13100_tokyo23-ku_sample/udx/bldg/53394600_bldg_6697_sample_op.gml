<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.6715958 139.7575974 0</gml:lowerCorner>
  <gml:upperCorner>35.674292 139.7599538 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13013">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">403</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>17</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6721065 139.7575974 0 35.6715958 139.7587586 0 35.6719602 139.7589998 0 35.67219 139.7584772 0 35.6725197 139.7586955 0 35.6728006 139.7580568 0 35.6721065 139.7575974 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-12</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13014">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">192</bldg:measuredHeight>
   <bldg:storeysAboveGround>35</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6734224 139.7586559 0 35.6731065 139.7593929 0 35.6739761 139.7599538 0 35.674292 139.7592168 0 35.6734224 139.7586559 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-13</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
