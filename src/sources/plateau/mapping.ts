/** Elements of a building by local name, which versions of CityGML and i-UR share. */

/** Values in elements of their own. */
const LEAVES = [
  'buildingID',
  'branchID',
  'partID',
  'city',
  'name',
  'usage',
  'yearOfConstruction',
  'measuredHeight',
  'storeysAboveGround',
  'storeysBelowGround',
  'totalFloorArea',
  'heightStatus',
  'height',
  'genericName',
  'genericValue',
  'realEstateIDOfBuilding',
  'realEstateIDOfBuildingUnitOwnership',
  'realEstateIDOfLand',
] as const;
export type Leaf = (typeof LEAVES)[number];

/** Elements with a real-estate ID (不動産ID), and the prefix of the link. */
export const REAL_ESTATE = {
  realEstateIDOfBuilding: 'realestate',
  realEstateIDOfBuildingUnitOwnership: 'realestate-unit',
  realEstateIDOfLand: 'realestate-land',
} as const satisfies Partial<Record<Leaf, string>>;

/** Shapes that can be the footprint, best first: a footprint is at ground level, a roof edge includes the eaves. */
export const SHAPES = [
  'lod0FootPrint',
  'lod0MultiSurface',
  'lod0RoofEdge',
  'lod1Solid',
  'lod1MultiSurface',
  'GroundSurface',
] as const;
export type ShapeName = (typeof SHAPES)[number];

/** An element and its possible content; elements that are not listed are ignored with their content. */
export type MappedElement =
  | { is: 'leaf'; leaf: Leaf }
  | { is: 'shape'; shape: ShapeName }
  | { is: 'address' }
  | { is: 'part' }
  | { is: 'generic' }
  | { is: 'holder'; holds: Readonly<Record<string, MappedElement>> };

const leaf = (name: Leaf): MappedElement => ({ is: 'leaf', leaf: name });
const shape = (name: ShapeName): MappedElement => ({ is: 'shape', shape: name });
const holder = (holds: Readonly<Record<string, MappedElement>>): MappedElement => ({ is: 'holder', holds });
const details = holder({ totalFloorArea: leaf('totalFloorArea'), city: leaf('city') });
const ids = holder({
  buildingID: leaf('buildingID'),
  branchID: leaf('branchID'),
  partID: leaf('partID'),
  city: leaf('city'),
});
const realEstate = holder({
  realEstateIDOfBuilding: leaf('realEstateIDOfBuilding'),
  realEstateIDOfBuildingUnitOwnership: leaf('realEstateIDOfBuildingUnitOwnership'),
  realEstateIDOfLand: leaf('realEstateIDOfLand'),
});
const part = holder({ BuildingPart: { is: 'part' } });
const properties: Readonly<Record<string, MappedElement>> = {
  // i-UR 1.4
  buildingDetails: holder({ BuildingDetails: details }),
  // i-UR 2.0 and later
  buildingDetailAttribute: holder({ BuildingDetailAttribute: details }),
  buildingIDAttribute: holder({ BuildingIDAttribute: ids }),
  // i-UR 3.1 and later
  bldgRealEstateIDAttribute: holder({ RealEstateIDAttribute: realEstate }),
};
/** i-UR 4.0 in a hook of CityGML 3.0; files converted from CityGML 2.0 keep the properties of older versions. */
const extension = holder({
  BuildingDetailAttribute: details,
  BuildingIDAttribute: ids,
  RealEstateIDAttribute: realEstate,
  BuildingProperties: holder(properties),
});
const attribute = holder({ name: leaf('genericName'), value: leaf('genericValue') });

export const BUILDING_ELEMENTS: Readonly<Record<string, MappedElement>> = {
  name: leaf('name'),
  usage: leaf('usage'),
  yearOfConstruction: leaf('yearOfConstruction'),
  measuredHeight: leaf('measuredHeight'),
  storeysAboveGround: leaf('storeysAboveGround'),
  storeysBelowGround: leaf('storeysBelowGround'),
  lod0FootPrint: shape('lod0FootPrint'),
  lod0RoofEdge: shape('lod0RoofEdge'),
  lod1Solid: shape('lod1Solid'),
  lod1MultiSurface: shape('lod1MultiSurface'),
  boundedBy: holder({ GroundSurface: shape('GroundSurface') }),
  consistsOfBuildingPart: part,
  address: { is: 'address' },
  // i-UR 1.4
  stringAttribute: { is: 'generic' },
  intAttribute: { is: 'generic' },
  ...properties,
  // CityGML 3.0
  dateOfConstruction: leaf('yearOfConstruction'),
  height: holder({ Height: holder({ status: leaf('heightStatus'), value: leaf('height') }) }),
  lod0MultiSurface: shape('lod0MultiSurface'),
  boundary: holder({
    GroundSurface: holder({ lod0MultiSurface: shape('lod0FootPrint'), lod2MultiSurface: shape('GroundSurface') }),
    RoofSurface: holder({ lod0MultiSurface: shape('lod0RoofEdge') }),
  }),
  buildingPart: part,
  genericAttribute: holder({ StringAttribute: attribute, IntAttribute: attribute }),
  // i-UR 4.0, in the hooks of CityGML 3.0
  adeOfAbstractBuilding: extension,
  adeOfBuilding: extension,
  adeOfBuildingPart: extension,
};

/** Generic attributes of i-UR 1.4 by name. */
export const GENERIC_IDS: Readonly<Record<string, 'buildingID' | 'branchID'>> = {
  建物ID: 'buildingID',
  枝番: 'branchID',
};
export const genericHolder = (name: 'buildingID' | 'branchID'): MappedElement => holder({ value: leaf(name) });

/** Skipped everywhere: most bytes of a tile, without anything that is read. */
export const SKIPPED_ELEMENTS: readonly string[] = [
  'appearance',
  'appearanceMember',
  'lod1TerrainIntersection',
  'lod2Solid',
  'lod2MultiSurface',
  'lod2MultiCurve',
  'lod2TerrainIntersection',
  'lod3Solid',
  'lod3MultiSurface',
  'lod3MultiCurve',
  'lod3TerrainIntersection',
  'lod4Solid',
  'lod4MultiSurface',
  'lod4MultiCurve',
  'lod4TerrainIntersection',
  'interiorBuildingInstallation',
  'interiorRoom',
  'opening',
  'outerBuildingInstallation',
  'buildingConstructiveElement',
  'buildingFurniture',
  'buildingInstallation',
  'buildingRoom',
  'buildingSubdivision',
  'lod2TerrainIntersectionCurve',
  'lod3TerrainIntersectionCurve',
  'pointCloud',
  'genericAttributeSet',
  'measureAttribute',
  'extendedAttribute',
  'bldgDataQualityAttribute',
  'bldgDisasterRiskAttribute',
  'bldgDmAttribute',
  'bldgFacilityAttribute',
  'bldgFacilityIdAttribute',
  'bldgFacilityTypeAttribute',
  'bldgKeyValuePairAttribute',
  'bldgUsecaseAttribute',
  'buildingDataQualityAttribute',
  'buildingDisasterRiskAttribute',
  'ifcBuildingAttribute',
  'indoorBuildingAttribute',
  'keyValuePairAttribute',
  'largeCustomerFacilityAttribute',
];

/** Skipped in a building whose footprint is known from a better shape. */
export const FALLBACK_SHAPES: readonly string[] = ['lod0RoofEdge', 'lod1Solid', 'lod1MultiSurface', 'boundedBy'];

export const POLYGONS: ReadonlySet<string> = new Set(['Polygon', 'PolygonPatch', 'Triangle', 'Rectangle']);

/** Parts of an xAL 2 address; the document has them in the order of a Japanese address. */
export const ADDRESS_PARTS: ReadonlySet<string> = new Set([
  'AddressLine',
  'AdministrativeAreaName',
  'SubAdministrativeAreaName',
  'LocalityName',
  'DependentLocalityName',
  'DependentLocalityNumber',
  'ThoroughfareName',
  'ThoroughfareNumber',
  'PremiseNumber',
]);

/** Levels of an xAL 3 address, whose names and numbers are the elements below. */
export const ADDRESS_LEVELS: ReadonlySet<string> = new Set([
  'AdministrativeArea',
  'SubAdministrativeArea',
  'Locality',
  'SubLocality',
  'Thoroughfare',
  'SubThoroughfare',
  'Premises',
]);
export const ADDRESS_LEVEL_PARTS: ReadonlySet<string> = new Set(['NameElement', 'Number']);

export interface Crs {
  axes: 'lat lon' | 'lon lat';
  dimension: 2 | 3;
}

/** Supported reference systems: JGD2011 and WGS 84. */
export const CRS: Readonly<Record<string, Crs>> = {
  '6697': { axes: 'lat lon', dimension: 3 },
  '6667': { axes: 'lat lon', dimension: 3 },
  '6668': { axes: 'lat lon', dimension: 2 },
  '4979': { axes: 'lat lon', dimension: 3 },
  '4326': { axes: 'lat lon', dimension: 2 },
  CRS84: { axes: 'lon lat', dimension: 2 },
  CRS84h: { axes: 'lon lat', dimension: 3 },
};

/** The reference system of PLATEAU, for tiles that state none. */
export const DEFAULT_CRS = CRS['6697'] as Crs;

export const METRE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1,
  metre: 1,
  meter: 1,
  'urn:ogc:def:uom:epsg::9001': 1,
  'urn:adv:uom:m': 1,
  cm: 0.01,
  mm: 0.001,
  km: 1000,
  ft: 0.3048,
};

export const SQUARE_METRE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  m2: 1,
  'm^2': 1,
  sqm: 1,
  ha: 10_000,
};

/** The common code list Building_usage; a list among the files takes precedence. */
export const USAGES: ReadonlyMap<string, string> = new Map([
  ['401', '業務施設'],
  ['402', '商業施設'],
  ['403', '宿泊施設'],
  ['404', '商業系複合施設'],
  ['411', '住宅'],
  ['412', '共同住宅'],
  ['413', '店舗等併用住宅'],
  ['414', '店舗等併用共同住宅'],
  ['415', '作業所併用住宅'],
  ['421', '官公庁施設'],
  ['422', '文教厚生施設'],
  ['431', '運輸倉庫施設'],
  ['441', '工場'],
  ['451', '農林漁業用施設'],
  ['452', '供給処理施設'],
  ['453', '防衛施設'],
  ['454', 'その他'],
  ['461', '不明'],
]);

/** Words for an unknown value. */
export const NO_VALUE_WORDS: ReadonlySet<string> = new Set([
  '',
  '-',
  '－',
  'ー',
  '不明',
  'なし',
  '無し',
  '名称不明',
  '-9999',
  '9999',
  'null',
]);

/** A house named after its owner: names of private persons are not published. */
export const PRIVATE_NAME = /(?:様|様邸|氏邸|(?<![住社])宅)$/u;
