<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.6832955 139.7648189 0</gml:lowerCorner>
  <gml:upperCorner>35.6873507 139.7742053 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13007">
   <gml:name>日本工業倶楽部会館</gml:name>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">461</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>6</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>9999</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6834222 139.7648189 0 35.6832955 139.7652543 0 35.6835828 139.7653802 0 35.6837095 139.7649448 0 35.6834222 139.7648189 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13012">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">212</bldg:measuredHeight>
   <bldg:storeysAboveGround>40</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>5</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6845503 139.7691636 0 35.6843627 139.7698564 0 35.6848418 139.7700517 0 35.6850294 139.7693589 0 35.6845503 139.7691636 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-11</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13024">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:yearOfConstruction>1927</bldg:yearOfConstruction>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>7</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6856011 139.772739 0 35.685217 139.7740124 0 35.6856418 139.7742053 0 35.6858797 139.7740238 0 35.686187 139.7730051 0 35.6856011 139.772739 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13102-bldg-sample-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13025">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">421</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>3</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6860966 139.7708748 0 35.6859483 139.7713793 0 35.6862854 139.7717032 0 35.6867134 139.7717179 0 35.6868617 139.7712134 0 35.6865246 139.7708896 0 35.6860966 139.7708748 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13102-bldg-sample-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13026">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">403</bldg:usage>
   <bldg:measuredHeight uom="m">192.4</bldg:measuredHeight>
   <bldg:storeysAboveGround>39</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6868406 139.7730596 0 35.6866525 139.7737065 0 35.6871627 139.7739298 0 35.6873507 139.7732829 0 35.6868406 139.7730596 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13102-bldg-sample-7</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
