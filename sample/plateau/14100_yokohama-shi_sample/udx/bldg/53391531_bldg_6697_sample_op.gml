<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.4445825 139.640083 0</gml:lowerCorner>
  <gml:upperCorner>35.4480582 139.6499798 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14009">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">403</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>5</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4447777 139.6499798 0 35.4452266 139.6495165 0 35.4451242 139.6493679 0 35.4449221 139.6495764 0 35.4448294 139.6494421 0 35.4445825 139.6496969 0 35.4447777 139.6499798 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14104-bldg-sample-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14011">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">421</bldg:usage>
   <bldg:measuredHeight uom="m">48.6</bldg:measuredHeight>
   <bldg:storeysAboveGround>5</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.447136 139.6422855 0 35.4476066 139.6429718 0 35.4480582 139.6425085 0 35.4475876 139.6418221 0 35.447136 139.6422855 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14104-bldg-sample-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14012">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:measuredHeight uom="m">36</bldg:measuredHeight>
   <bldg:storeysAboveGround>2</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4464477 139.6403495 0 35.4466999 139.6407158 0 35.4468875 139.6405226 0 35.4469081 139.640376 0 35.4467063 139.640083 0 35.4464477 139.6403495 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14104-bldg-sample-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
