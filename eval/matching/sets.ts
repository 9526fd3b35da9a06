/** A place with public files of both sources. */
export interface LabelledSet {
  name: string;
  /** The folder with the files: `data`, or a clone of https://github.com/yuuhayashi/citygml-osm at 699d933. */
  folder: 'data' | 'citygml-osm';
  plateau: string;
  osm: readonly string[];
}

const RESOURCES = 'src/test/resources';

export const SETS: readonly LabelledSet[] = [
  {
    name: 'ota',
    folder: 'data',
    plateau: 'plateau/13111_ota_53392547_bldg_6697_uro1.4.gml',
    osm: ['osm/ota_53392547_2021.osm', 'osm/ota_minamirokugo_full_2021.osm'],
  },
  {
    name: 'niiza',
    folder: 'citygml-osm',
    plateau: `${RESOURCES}/53395403_bldg_6697_op.osm`,
    osm: [`${RESOURCES}/53395403_bldg_6697_op.org.osm`],
  },
  {
    name: 'tatebayashi',
    folder: 'citygml-osm',
    plateau: `${RESOURCES}/54392491_bldg_6697_op.osm`,
    osm: [`${RESOURCES}/54392491_bldg_6697_op.org.osm`],
  },
];
