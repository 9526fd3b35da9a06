import type { Ring } from '../../src/vocabulary/geometry.ts';

/** A building of a PLATEAU tile; omitted properties are not written. */
export interface CityBuilding {
  gmlId?: string;
  id?: string;
  branch?: number | string;
  part?: number | string;
  /** The municipality code; by default that of its ID. */
  city?: string;
  name?: string;
  /** Writes the name as a code of this list. */
  nameCodeSpace?: string;
  usage?: string | readonly string[];
  height?: number | string;
  /** Further heights; only CityGML 3.0 has several. */
  otherHeights?: readonly { status: 'measured' | 'estimated'; value: number }[];
  storeysAbove?: number | string;
  storeysBelow?: number | string;
  year?: number | string;
  floorArea?: number | string;
  address?: string;
  generic?: Readonly<Record<string, string>>;
  /** Longitude and latitude, closed, the outer ring first; several polygons as several lists. */
  outline?: readonly Ring[];
  outlines?: readonly (readonly Ring[])[];
  /** The shapes to write for the outline; by default LOD0 roof edge and LOD1. */
  shapes?: readonly CityShape[];
  /** Height of its base in metres above sea level. */
  base?: number;
  /** Written as BuildingPart. */
  parts?: readonly CityBuilding[];
  /** XML appended as given. */
  raw?: string;
}

/** `lod0MultiSurface` exists only in CityGML 3.0. */
export type CityShape = 'lod0FootPrint' | 'lod0RoofEdge' | 'lod0MultiSurface' | 'lod1Solid' | 'lod2';

export interface CityOptions {
  /** Version of i-UR; 4.0 is written in CityGML 3.0, the others in 2.0. */
  uro?: '1.4' | '2.0' | '3.0' | '3.1' | '3.2' | '4.0';
  newline?: string;
  bom?: boolean;
  srsName?: string | null;
  srsDimension?: 2 | 3;
  axes?: 'lat lon' | 'lon lat';
  /** Number of LOD2 textures after each building; they make real tiles large. */
  textures?: number;
  /** Number of LOD2 roof and wall surfaces per building. */
  surfaces?: number;
}

/** A square by its south-western corner and side in metres; longitude first. */
export function squareRing(lon: number, lat: number, metres: number): Ring {
  const [w, h] = [metres / 90_000, metres / 111_000];
  return [
    [lon, lat],
    [lon + w, lat],
    [lon + w, lat + h],
    [lon, lat + h],
    [lon, lat],
  ];
}

export function cityGml(buildings: Iterable<CityBuilding>, options: CityOptions = {}): string {
  return [...cityGmlChunks(buildings, options)].join('');
}

/** Streams tiles larger than memory, one chunk per building. */
export function* cityGmlChunks(buildings: Iterable<CityBuilding>, options: CityOptions = {}): Generator<string> {
  const writer = new TileWriter(options);
  yield writer.head();
  for (const building of buildings) yield writer.member(building);
  yield writer.foot();
}

/** A code list as in `codelists/`. */
export function codeList(name: string, labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(
    ([code, label], i) =>
      `<gml:dictionaryEntry><gml:Definition gml:id="id${i + 1}"><gml:description>${escapeXml(label)}</gml:description>` +
      `<gml:name>${escapeXml(code)}</gml:name></gml:Definition></gml:dictionaryEntry>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gml:Dictionary xmlns:gml="http://www.opengis.net/gml" gml:id="cl_1"><gml:name>${name}</gml:name>`,
    ...entries,
    '</gml:Dictionary>',
  ].join('\n');
}

const NAMESPACES = {
  core: 'http://www.opengis.net/citygml/2.0',
  bldg: 'http://www.opengis.net/citygml/building/2.0',
  app: 'http://www.opengis.net/citygml/appearance/2.0',
  gen: 'http://www.opengis.net/citygml/generics/2.0',
  gml: 'http://www.opengis.net/gml',
  xAL: 'urn:oasis:names:tc:ciq:xsdschema:xAL:2.0',
  xlink: 'http://www.w3.org/1999/xlink',
};
const NAMESPACES_3 = {
  core: 'http://www.opengis.net/citygml/3.0',
  bldg: 'http://www.opengis.net/citygml/building/3.0',
  con: 'http://www.opengis.net/citygml/construction/3.0',
  app: 'http://www.opengis.net/citygml/appearance/3.0',
  gen: 'http://www.opengis.net/citygml/generics/3.0',
  gml: 'http://www.opengis.net/gml/3.2',
  xAL: 'urn:oasis:names:tc:ciq:xal:3',
  xlink: 'http://www.w3.org/1999/xlink',
  urc: 'https://www.geospatial.jp/iur/urc/4.0',
};
const URO_1_4 = 'http://www.kantei.go.jp/jp/singi/tiiki/toshisaisei/itoshisaisei/iur/uro/1.4';

class TileWriter {
  private readonly options: CityOptions;
  private readonly newline: string;
  private readonly isOld: boolean;
  /** CityGML 3.0. */
  private readonly isNew: boolean;
  private count = 0;

  constructor(options: CityOptions) {
    this.options = options;
    this.newline = options.newline ?? '\n';
    this.isOld = options.uro === '1.4';
    this.isNew = options.uro === '4.0';
  }

  head(): string {
    const { uro = '3.2', srsName = 'http://www.opengis.net/def/crs/EPSG/0/6697', srsDimension = 3, bom } = this.options;
    const uri = uro === '1.4' ? URO_1_4 : `https://www.geospatial.jp/iur/uro/${uro}`;
    const all = { ...(this.isNew ? NAMESPACES_3 : NAMESPACES), uro: uri };
    const namespaces = Object.entries(all).map(([prefix, ns]) => `xmlns:${prefix}="${ns}"`);
    const zeros = srsDimension === 3 ? ' 0' : '';
    return this.lines(
      `${bom ? '\ufeff' : ''}<?xml version="1.0" encoding="UTF-8"?>`,
      `<core:CityModel ${namespaces.join(' ')}>`,
      ...(srsName === null
        ? []
        : [
            `<gml:boundedBy><gml:Envelope srsName="${srsName}" srsDimension="${srsDimension}">`,
            `<gml:lowerCorner>20 122${zeros}</gml:lowerCorner><gml:upperCorner>46 154${zeros}</gml:upperCorner>`,
            '</gml:Envelope></gml:boundedBy>',
          ]),
    );
  }

  member(building: CityBuilding): string {
    this.count += 1;
    return this.lines(
      '<core:cityObjectMember>',
      ...this.building('Building', building),
      '</core:cityObjectMember>',
      ...this.textures(),
    );
  }

  foot(): string {
    return '</core:CityModel>';
  }

  private lines(...lines: string[]): string {
    return lines.map((line) => line + this.newline).join('');
  }

  /** In schema order. */
  private building(element: string, b: CityBuilding): string[] {
    const { gmlId = `bldg_${this.count}`, shapes = ['lod0RoofEdge', 'lod1Solid'] } = b;
    const usages = b.usage === undefined ? [] : [b.usage].flat();
    const codes = '../../codelists';
    if (this.isNew) return this.newBuilding(element, b);
    return [
      `<bldg:${element} gml:id="${gmlId}">`,
      ...leaf('gml:name', b.name, b.nameCodeSpace === undefined ? '' : ` codeSpace="${b.nameCodeSpace}"`),
      ...(this.isOld ? this.oldIds(b) : ['<core:creationDate>2025-03-21</core:creationDate>']),
      ...Object.entries(b.generic ?? {}).flatMap(([name, value]) => generic('string', name, value)),
      ...usages.flatMap((usage) => leaf('bldg:usage', usage, ` codeSpace="${codes}/Building_usage.xml"`)),
      ...leaf('bldg:yearOfConstruction', b.year),
      ...leaf('bldg:measuredHeight', b.height, ' uom="m"'),
      ...leaf('bldg:storeysAboveGround', b.storeysAbove),
      ...leaf('bldg:storeysBelowGround', b.storeysBelow),
      ...shapes.flatMap((shape) => this.shape(shape, b)),
      ...(b.parts ?? []).flatMap((part, i) => [
        '<bldg:consistsOfBuildingPart>',
        ...this.building('BuildingPart', { gmlId: `${gmlId}_part${i + 1}`, ...part }),
        '</bldg:consistsOfBuildingPart>',
      ]),
      ...this.address(b.address),
      ...this.details(b),
      ...(this.isOld ? [] : this.ids(b)),
      ...(b.raw === undefined ? [] : [b.raw]),
      `</bldg:${element}>`,
    ];
  }

  /** The same in CityGML 3.0, in schema order. */
  private newBuilding(element: string, b: CityBuilding): string[] {
    const { gmlId = `bldg_${this.count}`, shapes = ['lod0RoofEdge', 'lod1Solid'] } = b;
    const codes = 'https://www.geospatial.jp/iur/codelists/4.0';
    const usages = b.usage === undefined ? [] : [b.usage].flat();
    const drawn = (some: readonly CityShape[]) =>
      shapes.filter((shape) => some.includes(shape)).flatMap((shape) => this.newShape(shape, b));
    const height = (reference: string, status: string, value: number | string) => [
      '<con:height><con:Height>',
      `<con:highReference>${reference}</con:highReference><con:lowReference>lowestGroundPoint</con:lowReference>`,
      `<con:status>${status}</con:status>`,
      ...leaf('con:value', value, ' uom="m"'),
      '</con:Height></con:height>',
    ];
    return [
      `<bldg:${element} gml:id="${gmlId}">`,
      ...leaf('gml:name', b.name, b.nameCodeSpace === undefined ? '' : ` codeSpace="${b.nameCodeSpace}"`),
      '<core:creationDate>2026-03-21T00:00:00</core:creationDate>',
      ...Object.entries(b.generic ?? {}).flatMap(([name, value]) => [
        '<core:genericAttribute><gen:StringAttribute>',
        ...leaf('gen:name', name),
        ...leaf('gen:value', value),
        '</gen:StringAttribute></core:genericAttribute>',
      ]),
      '<core:adeOfAbstractCityObject><urc:DataQualityAttribute>',
      '<urc:geometrySrcDescLod1>000</urc:geometrySrcDescLod1>',
      '</urc:DataQualityAttribute></core:adeOfAbstractCityObject>',
      ...drawn(['lod0FootPrint', 'lod0RoofEdge', 'lod2']),
      ...drawn(['lod0MultiSurface', 'lod1Solid']),
      ...leaf('con:dateOfConstruction', b.year === undefined ? undefined : `${b.year}-01-01`),
      ...(b.height === undefined ? [] : height('highestRoofEdge', 'measured', b.height)),
      ...(b.otherHeights ?? []).flatMap(({ status, value }) => height('lowestEaves', status, value)),
      ...usages.flatMap((usage) => leaf('bldg:usage', usage, ` codeSpace="${codes}/Building_usage.xml"`)),
      ...leaf('bldg:storeysAboveGround', b.storeysAbove),
      ...leaf('bldg:storeysBelowGround', b.storeysBelow),
      ...this.newAddress(b.address),
      ...this.hooked(this.ids(b)),
      ...this.hooked(this.details(b)),
      ...(b.parts ?? []).flatMap((part, i) => [
        '<bldg:buildingPart>',
        ...this.building('BuildingPart', { gmlId: `${gmlId}_part${i + 1}`, ...part }),
        '</bldg:buildingPart>',
      ]),
      ...(b.raw === undefined ? [] : [b.raw]),
      `</bldg:${element}>`,
    ];
  }

  /** i-UR 4.0 extends a CityGML hook instead of adding a property as outermost element. */
  private hooked(lines: string[]): string[] {
    if (lines.length === 0) return [];
    return ['<bldg:adeOfAbstractBuilding>', ...lines.slice(1, -1), '</bldg:adeOfAbstractBuilding>'];
  }

  private newShape(shape: CityShape, b: CityBuilding): string[] {
    const lines = this.shape(shape, b);
    if (shape === 'lod1Solid') return lines.map((line) => line.replaceAll('bldg:lod1Solid', 'core:lod1Solid'));
    if (shape === 'lod2') {
      return lines.map((line) =>
        line
          .replaceAll('bldg:boundedBy', 'core:boundary')
          .replaceAll(/bldg:(lod2\w+)/g, 'core:$1')
          .replaceAll(/bldg:(\w+Surface)/g, 'con:$1'),
      );
    }
    const surface = lines.map((line) => line.replaceAll(`bldg:${shape}`, 'core:lod0MultiSurface'));
    if (shape === 'lod0MultiSurface' || lines.length === 0) return surface;
    const type = shape === 'lod0FootPrint' ? 'GroundSurface' : 'RoofSurface';
    return [`<core:boundary><con:${type}>`, ...surface, `</con:${type}></core:boundary>`];
  }

  private newAddress(address: string | undefined): string[] {
    if (address === undefined) return [];
    return [
      '<bldg:address><core:Address><core:xalAddress><xAL:Address>',
      '<xAL:Country><xAL:NameElement>日本</xAL:NameElement></xAL:Country>',
      `<xAL:Locality xAL:Type="Town"><xAL:NameElement>${escapeXml(address)}</xAL:NameElement></xAL:Locality>`,
      '<xAL:PostCode><xAL:Identifier>150-0001</xAL:Identifier></xAL:PostCode>',
      '</xAL:Address></core:xalAddress></core:Address></bldg:address>',
    ];
  }

  private oldIds({ id, branch }: CityBuilding): string[] {
    return [
      ...(id === undefined ? [] : generic('string', '建物ID', id)),
      ...(branch === undefined ? [] : generic('int', '枝番', String(branch))),
    ];
  }

  private ids({ id, branch, part, city = /^\d{5}/.exec(id ?? '')?.[0] }: CityBuilding): string[] {
    if (id === undefined) return [];
    return [
      '<uro:buildingIDAttribute>',
      '<uro:BuildingIDAttribute>',
      ...leaf('uro:buildingID', id),
      ...leaf('uro:branchID', branch),
      ...leaf('uro:partID', part),
      ...leaf('uro:city', city, ' codeSpace="../../codelists/Common_localPublicAuthorities.xml"'),
      '</uro:BuildingIDAttribute>',
      '</uro:buildingIDAttribute>',
    ];
  }

  private details({ floorArea, city }: CityBuilding): string[] {
    const [property, type] = this.isOld
      ? ['buildingDetails', 'BuildingDetails']
      : ['buildingDetailAttribute', 'BuildingDetailAttribute'];
    return [
      `<uro:${property}>`,
      `<uro:${type}>`,
      ...(this.isOld ? leaf('uro:city', city) : []),
      ...leaf('uro:totalFloorArea', floorArea, ' uom="m2"'),
      // Real files state it a hundred times too small, or summed over all branches; it must not be read.
      ...leaf('uro:buildingRoofEdgeArea', '1.23', ' uom="m2"'),
      ...leaf('uro:surveyYear', '2021'),
      `</uro:${type}>`,
      `</uro:${property}>`,
    ];
  }

  private address(address: string | undefined): string[] {
    if (address === undefined) return [];
    return [
      '<bldg:address><core:Address><core:xalAddress><xAL:AddressDetails><xAL:Country>',
      '<xAL:CountryName>日本</xAL:CountryName>',
      `<xAL:Locality><xAL:LocalityName Type="Town">${escapeXml(address)}</xAL:LocalityName></xAL:Locality>`,
      '</xAL:Country></xAL:AddressDetails></core:xalAddress></core:Address></bldg:address>',
    ];
  }

  private shape(shape: CityShape, b: CityBuilding): string[] {
    const polygons = b.outlines ?? (b.outline === undefined ? [] : [b.outline]);
    if (polygons.length === 0) return [];
    const base = b.base ?? 10;
    const top = base + (typeof b.height === 'number' && b.height > 0 ? b.height : 6);
    if (shape === 'lod1Solid') return this.solid(polygons, base, top);
    if (shape === 'lod2') return this.surfaces(polygons, base, top);
    const at = shape === 'lod0RoofEdge' ? top : 0;
    return [
      `<bldg:${shape}><gml:MultiSurface>`,
      ...polygons.flatMap((rings) => this.surfaceMember(rings.map((ring) => this.posList(ring, at)))),
      `</gml:MultiSurface></bldg:${shape}>`,
    ];
  }

  /** Bottom, walls, roof. */
  private solid(polygons: readonly (readonly Ring[])[], base: number, top: number): string[] {
    return [
      '<bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>',
      ...polygons.flatMap((rings) => [
        ...this.surfaceMember(rings.map((ring) => this.posList([...ring].reverse(), base))),
        ...this.walls(rings, base, top).flatMap((wall) => this.surfaceMember([wall])),
        ...this.surfaceMember(rings.map((ring) => this.posList(ring, top))),
      ]),
      '</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid>',
    ];
  }

  private walls(rings: readonly Ring[], base: number, top: number): string[] {
    return rings.flatMap((ring) =>
      ring.slice(1).map((to, i) => {
        const from = ring[i] as [number, number];
        const low = this.posList([from, to], base);
        return `${low} ${this.posList([to, from], top)} ${this.posList([from], base)}`;
      }),
    );
  }

  /** The ground surface, then many surfaces that the adapter skips. */
  private surfaces(polygons: readonly (readonly Ring[])[], base: number, top: number): string[] {
    const rings = polygons[0] as readonly Ring[];
    const walls = this.walls(rings, base, top);
    const bulk = Array.from({ length: this.options.surfaces ?? 4 }, (_, i) => [
      ...this.bounding(i % 4 === 0 ? 'RoofSurface' : 'WallSurface', [walls[i % walls.length] as string]),
    ]).flat();
    const ground = polygons.flatMap((some) =>
      this.bounding(
        'GroundSurface',
        some.map((ring) => this.posList(ring, base)),
      ),
    );
    return [
      '<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>',
      '<gml:surfaceMember xlink:href="#poly_1"/>',
      '</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>',
      ...ground,
      ...bulk,
    ];
  }

  private bounding(surface: string, posLists: string[]): string[] {
    return [
      `<bldg:boundedBy><bldg:${surface}><bldg:lod2MultiSurface><gml:MultiSurface>`,
      ...this.surfaceMember(posLists),
      `</gml:MultiSurface></bldg:lod2MultiSurface></bldg:${surface}></bldg:boundedBy>`,
    ];
  }

  private surfaceMember(posLists: string[]): string[] {
    const rings = posLists.map((posList, i) => {
      const side = i === 0 ? 'exterior' : 'interior';
      return `<gml:${side}><gml:LinearRing><gml:posList>${posList}</gml:posList></gml:LinearRing></gml:${side}>`;
    });
    return ['<gml:surfaceMember>', '<gml:Polygon>', ...rings, '</gml:Polygon>', '</gml:surfaceMember>'];
  }

  private posList(ring: Ring, height: number): string {
    const { axes = 'lat lon', srsDimension = 3 } = this.options;
    return ring
      .map(([lon, lat]) => (axes === 'lat lon' ? `${lat} ${lon}` : `${lon} ${lat}`))
      .map((position) => (srsDimension === 3 ? `${position} ${height}` : position))
      .join(' ');
  }

  private textures(): string[] {
    const { textures = 0 } = this.options;
    if (textures === 0) return [];
    const coordinates = '0.5253 0.9761 0.5253 0.9653 0.5304 0.9653 0.5304 0.9761 0.5253 0.9761';
    const target = (i: number) =>
      `<app:target uri="#poly_${this.count}_${i}"><app:TexCoordList>` +
      `<app:textureCoordinates ring="#line_${this.count}_${i}">${coordinates}</app:textureCoordinates>` +
      '</app:TexCoordList></app:target>';
    return [
      '<app:appearanceMember><app:Appearance><app:theme>rgbTexture</app:theme>',
      '<app:surfaceDataMember><app:ParameterizedTexture><app:imageURI>a.jpg</app:imageURI>',
      ...Array.from({ length: textures }, (_, i) => target(i)),
      '</app:ParameterizedTexture></app:surfaceDataMember>',
      '</app:Appearance></app:appearanceMember>',
    ];
  }
}

function leaf(element: string, value: string | number | undefined, attributes = ''): string[] {
  return value === undefined ? [] : [`<${element}${attributes}>${escapeXml(String(value))}</${element}>`];
}

function generic(type: 'string' | 'int', name: string, value: string): string[] {
  return [
    `<gen:${type}Attribute name="${escapeXml(name)}">`,
    `<gen:value>${escapeXml(value)}</gen:value>`,
    `</gen:${type}Attribute>`,
  ];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
