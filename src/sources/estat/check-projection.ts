const READ = 'read are longitude and latitude in JGD2000, JGD2011 or WGS84 (世界測地系緯度経度)';
const KNOWN = /JGD[ _]?20(?:00|11)|Japanese[ _]Geodetic[ _]Datum|WGS[ _]?(?:19)?84/i;

/** Why positions under a .prj cannot be taken as they are, or undefined where they can. */
export function faultInProjection(prj: string): string | undefined {
  if (/^\s*PROJ/i.test(prj)) return `its .prj says plane coordinates; ${READ}`;
  if (/tokyo/i.test(prj)) return `its .prj says the Tokyo datum, some 400 m off; ${READ}`;
  if (!/^\s*GEOG/i.test(prj) || !KNOWN.test(prj)) return `its .prj says no known reference system; ${READ}`;
  return undefined;
}
