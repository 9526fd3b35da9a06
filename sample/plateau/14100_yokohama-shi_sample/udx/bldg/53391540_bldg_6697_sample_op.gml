<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.4499156 139.6296478 0</gml:lowerCorner>
  <gml:upperCorner>35.458563 139.6373959 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14001">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">403</bldg:usage>
   <bldg:measuredHeight uom="m">295.8</bldg:measuredHeight>
   <bldg:storeysAboveGround>70</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4549291 139.6317326 0 35.4550521 139.6313969 0 35.4549142 139.6310701 0 35.4546194 139.6309981 0 35.4543896 139.6312353 0 35.4543978 139.6316029 0 35.454638 139.6318243 0 35.4549291 139.6317326 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14103-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14002">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">171.8</bldg:measuredHeight>
   <bldg:storeysAboveGround>36</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>5</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.456263 139.6329927 0 35.4566208 139.6335168 0 35.4569386 139.633192 0 35.4565808 139.6326679 0 35.456263 139.6329927 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14103-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14003">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">138</bldg:measuredHeight>
   <bldg:storeysAboveGround>28</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>5</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4567811 139.6340312 0 35.4571031 139.634507 0 35.4574226 139.6341834 0 35.4571006 139.6337075 0 35.4567811 139.6340312 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14103-bldg-sample-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14004">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">403</bldg:usage>
   <bldg:measuredHeight uom="m">139.6</bldg:measuredHeight>
   <bldg:storeysAboveGround>31</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4577425 139.6367976 0 35.4584478 139.6373959 0 35.458563 139.6369347 0 35.4580552 139.6365039 0 35.4577425 139.6367976 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14103-bldg-sample-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14005">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:yearOfConstruction>1989</bldg:yearOfConstruction>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>3</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>9999</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4566529 139.6313492 0 35.4578633 139.630097 0 35.4575528 139.6296478 0 35.4563424 139.6308999 0 35.4566529 139.6313492 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14103-bldg-sample-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14013">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">412</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">200</bldg:measuredHeight>
   <bldg:storeysAboveGround>58</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4508516 139.6361609 0 35.4511765 139.6366303 0 35.4515602 139.6362328 0 35.4512353 139.6357634 0 35.4508516 139.6361609 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14104-bldg-sample-8</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-14014">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">421</bldg:usage>
   <bldg:measuredHeight uom="m">155.4</bldg:measuredHeight>
   <bldg:storeysAboveGround>32</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.4499156 139.6340242 0 35.4503488 139.6349485 0 35.450873 139.6345808 0 35.4504399 139.6336565 0 35.4499156 139.6340242 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">142582</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>14104-bldg-sample-9</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
