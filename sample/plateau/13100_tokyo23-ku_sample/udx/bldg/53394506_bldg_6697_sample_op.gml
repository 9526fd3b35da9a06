<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.6668538 139.6991892 0</gml:lowerCorner>
  <gml:upperCorner>35.66897 139.7058648 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13063">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>7</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6686598 139.705256 0 35.6684232 139.7056727 0 35.668648 139.7058648 0 35.6687807 139.7058544 0 35.66897 139.705521 0 35.6686598 139.705256 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13113-bldg-sample-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13064">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:measuredHeight uom="m">40.37</bldg:measuredHeight>
   <bldg:storeysAboveGround>2</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6668538 139.6998501 0 35.66726 139.7012349 0 35.6679205 139.7014226 0 35.668332 139.7007616 0 35.6679258 139.6993769 0 35.6672653 139.6991892 0 35.6668538 139.6998501 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13113-bldg-sample-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
