<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0"
  xmlns:gml="http://www.opengis.net/gml" xmlns:uro="https://www.geospatial.jp/iur/uro/3.1">
 <gml:boundedBy><gml:Envelope srsName="http://www.opengis.net/def/crs/EPSG/0/6697" srsDimension="3">
  <gml:lowerCorner>35.675628 139.7626171 0</gml:lowerCorner>
  <gml:upperCorner>35.6829488 139.769373 0</gml:upperCorner>
 </gml:Envelope></gml:boundedBy>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13001">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">431</bldg:usage>
   <bldg:measuredHeight uom="m">-9999</bldg:measuredHeight>
   <bldg:storeysAboveGround>4</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>2</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.680014 139.7657151 0 35.6827301 139.7669257 0 35.682798 139.7666966 0 35.6800818 139.765486 0 35.680014 139.7657151 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-1</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13002">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">178.4</bldg:measuredHeight>
   <bldg:storeysAboveGround>37</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6808277 139.7633074 0 35.6805759 139.7641471 0 35.6813772 139.7645087 0 35.6816289 139.763669 0 35.6808277 139.7633074 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-2</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13003">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">197.6</bldg:measuredHeight>
   <bldg:storeysAboveGround>38</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6821022 139.7636958 0 35.6818536 139.7645267 0 35.6827002 139.764908 0 35.6829488 139.764077 0 35.6821022 139.7636958 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">195401</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-3</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13004">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">200</bldg:measuredHeight>
   <bldg:storeysAboveGround>38</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6794782 139.7638559 0 35.6791945 139.7648052 0 35.6797311 139.7650466 0 35.6799914 139.7649483 0 35.6802184 139.7641889 0 35.6794782 139.7638559 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">212000</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-4</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13005">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">402</bldg:usage>
   <bldg:measuredHeight uom="m">205</bldg:measuredHeight>
   <bldg:storeysAboveGround>43</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6816813 139.7684403 0 35.6815349 139.7689426 0 35.6825158 139.769373 0 35.6826622 139.7688707 0 35.6816813 139.7684403 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-5</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13006">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">401</bldg:usage>
   <bldg:measuredHeight uom="m">205</bldg:measuredHeight>
   <bldg:storeysAboveGround>42</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>4</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.678565 139.7672879 0 35.6783977 139.7677927 0 35.6790395 139.7681128 0 35.6792068 139.7676081 0 35.678565 139.7672879 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-6</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13009">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:yearOfConstruction>2010</bldg:yearOfConstruction>
   <bldg:measuredHeight uom="m">17.5</bldg:measuredHeight>
   <bldg:storeysAboveGround>3</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>1</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6783087 139.7629085 0 35.6781167 139.7634954 0 35.6783159 139.7635935 0 35.6784023 139.7633294 0 35.6785825 139.7634182 0 35.6786881 139.7630954 0 35.6783087 139.7629085 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-9</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
 <core:cityObjectMember>
  <bldg:Building gml:id="bldg_sample-13010">
   <bldg:usage codeSpace="../../codelists/Building_usage.xml">422</bldg:usage>
   <bldg:measuredHeight uom="m">60</bldg:measuredHeight>
   <bldg:storeysAboveGround>11</bldg:storeysAboveGround>
   <bldg:storeysBelowGround>3</bldg:storeysBelowGround>
   <bldg:lod0RoofEdge><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing>
    <gml:posList>35.6760931 139.7626171 0 35.675628 139.7637729 0 35.6773697 139.7646266 0 35.6777045 139.7637944 0 35.6760931 139.7626171 0</gml:posList>
   </gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod0RoofEdge>
   <uro:buildingDetailAttribute><uro:BuildingDetailAttribute><uro:totalFloorArea uom="m2">145076</uro:totalFloorArea></uro:BuildingDetailAttribute></uro:buildingDetailAttribute>
   <uro:buildingIDAttribute><uro:BuildingIDAttribute><uro:buildingID>13101-bldg-sample-10</uro:buildingID></uro:BuildingIDAttribute></uro:buildingIDAttribute>
  </bldg:Building>
 </core:cityObjectMember>
</core:CityModel>
