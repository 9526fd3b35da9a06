/** Tables in the shape of the registry, each row given by the cells that matter. */
const HEADERS = {
  pref: 'lg_code,pref,pref_kana,pref_roma,efct_date,ablt_date,remarks',
  city: 'lg_code,pref,pref_kana,pref_roma,county,county_kana,county_roma,city,city_kana,city_roma,ward,ward_kana,ward_roma,efct_date,ablt_date,remarks',
  areaPos: 'lg_code,rep_lon,rep_lat,rep_srid,rep_scale,plygn_fname,plygn_kcode,plygn_fmt,plygn_srid,plygn_scale',
  town: 'lg_code,machiaza_id,machiaza_type,pref,pref_kana,pref_roma,county,county_kana,county_roma,city,city_kana,city_roma,ward,ward_kana,ward_roma,oaza_cho,oaza_cho_kana,oaza_cho_roma,chome,chome_kana,chome_number,koaza,koaza_kana,koaza_roma,machiaza_dist,rsdt_addr_flg,rsdt_addr_mtd_code,oaza_cho_aka_flg,koaza_aka_code,oaza_cho_gsi_uncmn,koaza_gsi_uncmn,status_flg,wake_num_flg,efct_date,ablt_date,src_code,post_code,remarks',
  townPos:
    'lg_code,machiaza_id,rsdt_addr_flg,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code,plygn_fname,plygn_kcode,plygn_fmt,plygn_srid,plygn_scale,plygn_src_code,pos_oaza_cho_chome_code,pos_data_mnt_year,cns_bnd_s_area_kcode,cns_bnd_year',
  block:
    'lg_code,machiaza_id,blk_id,city,ward,oaza_cho,chome,koaza,machiaza_dist,blk_num,rsdt_addr_flg,rsdt_addr_mtd_code,status_flg,efct_date,ablt_date,src_code,remarks',
  blockPos:
    'lg_code,machiaza_id,blk_id,rsdt_addr_flg,rsdt_addr_mtd_code,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code,plygn_fname,plygn_kcode,plygn_fmt,plygn_srid,plygn_scale,plygn_src_code,pos_pref,pos_city,pos_oaza_cho_chome,pos_koaza_aka,pos_blk_prc_num,pos_data_mnt_year,rsdt_addr_code_rdbl,rsdt_addr_data_mnt_date',
  rsdt: 'lg_code,machiaza_id,blk_id,rsdt_id,rsdt2_id,city,ward,oaza_cho,chome,koaza,machiaza_dist,blk_num,rsdt_num,rsdt_num2,basic_rsdt_div,rsdt_addr_flg,rsdt_addr_mtd_code,status_flg,efct_date,ablt_date,src_code,remarks',
  rsdtPos:
    'lg_code,machiaza_id,blk_id,rsdt_id,rsdt2_id,rsdt_addr_flg,rsdt_addr_mtd_code,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code,rsdt_addr_code_rdbl,rsdt_addr_data_mnt_date,basic_rsdt_div',
  parcel:
    'lg_code,machiaza_id,prc_id,city,ward,oaza_cho,chome,koaza,machiaza_dist,prc_num1,prc_num2,prc_num3,rsdt_addr_flg,prc_rec_flg,prc_area_code,efct_date,ablt_date,src_code,remarks,real_prop_num',
  parcelPos:
    'lg_code,machiaza_id,prc_id,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code,plygn_fname,plygn_kcode,plygn_fmt,plygn_srid,plygn_scale,plygn_src_code,moj_map_city_code,moj_map_oaza_code,moj_map_chome_code,moj_map_koaza_code,moj_map_spare_code,moj_map_brushid',
} as const;

export type TableName = keyof typeof HEADERS;
export type GivenCells = Record<string, string>;

export function tableOf(name: TableName, rows: readonly GivenCells[], newline = '\r\n'): string {
  const header = HEADERS[name].split(',');
  const lines = rows.map((row) => header.map((column) => row[column] ?? '').join(','));
  return [HEADERS[name], ...lines, ''].join(newline);
}

export const AT = { rep_lon: '139.751', rep_lat: '35.715', rep_srid: 'EPSG:6668' };
export const BUNKYO = {
  lg_code: '131059',
  pref: '東京都',
  pref_roma: 'Tokyo',
  city: '文京区',
  city_roma: 'Bunkyo-ku',
};
export const HAKUSAN_1 = {
  ...BUNKYO,
  machiaza_id: '0001001',
  oaza_cho: '白山',
  oaza_cho_roma: 'Hakusan',
  chome: '１丁目',
  chome_number: '1',
  rsdt_addr_flg: '1',
};
export const RESIDENCE = { ...HAKUSAN_1, blk_id: '001', rsdt_id: '002', blk_num: '1', rsdt_num: '2' };
export const PARCEL = { ...HAKUSAN_1, prc_id: '000040001400000', prc_num1: '4', prc_num2: '14' };
