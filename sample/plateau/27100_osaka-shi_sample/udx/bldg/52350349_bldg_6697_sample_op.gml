<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>34.7003587 135.4891888 0</gml:lowerCorner>
  <gml:upperCorner>34.7068035 135.4990108 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27002">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">172.3</bldg:measuredHeight>
   <bldg:storeysAboveGround>40</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.7050504 135.4891888 0 34.7050488 135.4903984 0 34.7055478 135.4903994 0 34.7055493 135.4891898 0 34.7050504 135.4891888 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">147397</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27127-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27003">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">179.36</bldg:measuredHeight>
   <bldg:storeysAboveGround>38</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.7039154 135.4951883 0 34.7036557 135.495875 0 34.7042708 135.4962169 0 34.7045305 135.4955301 0 34.7039154 135.4951883 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27127-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27004">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">175.2</bldg:measuredHeight>
   <bldg:storeysAboveGround>38</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.7054437 135.4935968 0 34.7052012 135.4944211 0 34.706561 135.4950091 0 34.7068035 135.4941849 0 34.7054437 135.4935968 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27127-bldg-sample-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27006">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:yearOfConstruction>2012</bldg:yearOfConstruction>
   <bldg:measuredHeight uom="m">186.95</bldg:measuredHeight>
   <bldg:storeysAboveGround>41</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.7021756 135.4982257 0 34.7022912 135.4990108 0 34.7034116 135.4987686 0 34.703296 135.4979834 0 34.7021756 135.4982257 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27127-bldg-sample-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-27007">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">188.9</bldg:measuredHeight>
   <bldg:storeysAboveGround>38</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>34.7003587 135.4976447 0 34.7004386 135.4986822 0 34.7011625 135.4986002 0 34.7014211 135.4983617 0 34.7013572 135.4975317 0 34.7003587 135.4976447 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">260000</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>27127-bldg-sample-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
