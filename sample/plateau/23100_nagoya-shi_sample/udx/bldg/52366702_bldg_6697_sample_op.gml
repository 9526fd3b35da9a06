<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.1704338 136.9080815 0</gml:lowerCorner>
  <gml:upperCorner>35.1724772 136.911933 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-23006">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">461</bldg:usage>
   <bldg:measuredHeight uom="m">180</bldg:measuredHeight>
   <bldg:storeysAboveGround>9999</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>9999</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.1721543 136.9080815 0 35.1721271 136.9084752 0 35.1724501 136.9085084 0 35.1724772 136.9081146 0 35.1721543 136.9080815 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>23106-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-23007">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">14</bldg:measuredHeight>
   <bldg:storeysAboveGround>9999</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>9999</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.17059 136.9098515 0 35.1711713 136.9099493 0 35.1713714 136.9097851 0 35.1712152 136.9095611 0 35.1706339 136.9094633 0 35.1704338 136.9096275 0 35.17059 136.9098515 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>23102-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-23008">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>12</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>5</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.1707697 136.9106061 0 35.1706767 136.9118785 0 35.1711782 136.911933 0 35.17122 136.9113604 0 35.1716737 136.9114097 0 35.1717249 136.9107099 0 35.1707697 136.9106061 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">109062</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>23102-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
