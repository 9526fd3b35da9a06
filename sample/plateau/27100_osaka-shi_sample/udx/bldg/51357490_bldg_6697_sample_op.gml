<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>34.660183 135.500817 0</gml:lowerCorner>
  <gml:upperCorner>34.665415 135.5026656 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27015">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">149.1</bldg:measuredHeight>
   <bldg:storeysAboveGround>30</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.660183 135.5017632 0 34.6603132 135.5026656 0 34.6618303 135.5023444 0 34.6623797 135.5020421 0 34.6622756 135.5013202 0 34.660183 135.5017632 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27111-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27016">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>8</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.6645711 135.500817 0 34.6646808 135.5020928 0 34.665415 135.5018196 0 34.665336 135.500901 0 34.6645711 135.500817 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27128-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
