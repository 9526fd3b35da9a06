export interface Place {
  lat: number;
  lon: number;
}

const A = 6_378_137;
const F = 1 / 298.257_222_101;
const B = A * (1 - F);

/**
 * Distance in metres by Vincenty's inverse formula on GRS80. A haversine on a sphere is off by a metre at 500 m here,
 * too much to check lists of neighbours.
 */
export function geodesicM(from: Place, to: Place): number {
  const rad = Math.PI / 180;
  const L = (to.lon - from.lon) * rad;
  const [u1, u2] = [from, to].map(({ lat }) => Math.atan((1 - F) * Math.tan(lat * rad))) as [number, number];
  const [sinU1, cosU1, sinU2, cosU2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = L;
  for (let i = 0; i < 200; i++) {
    const sinSigma = Math.hypot(cosU2 * Math.sin(lambda), cosU1 * sinU2 - sinU1 * cosU2 * Math.cos(lambda));
    if (sinSigma === 0) return 0;
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * Math.cos(lambda);
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cosU1 * cosU2 * Math.sin(lambda)) / sinSigma;
    const cos2Alpha = 1 - sinAlpha ** 2;
    const cos2M = cos2Alpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cos2Alpha;
    const C = (F / 16) * cos2Alpha * (4 + F * (4 - 3 * cos2Alpha));
    const before = lambda;
    lambda = L + (1 - C) * F * sinAlpha * (sigma + C * sinSigma * (cos2M + C * cosSigma * (2 * cos2M ** 2 - 1)));
    if (Math.abs(lambda - before) > 1e-12) continue;
    const k2 = (cos2Alpha * (A ** 2 - B ** 2)) / B ** 2;
    const a = 1 + (k2 / 16_384) * (4096 + k2 * (-768 + k2 * (320 - 175 * k2)));
    const b = (k2 / 1024) * (256 + k2 * (-128 + k2 * (74 - 47 * k2)));
    const third = (b / 6) * cos2M * (4 * sinSigma ** 2 - 3) * (4 * cos2M ** 2 - 3);
    const deltaSigma = b * sinSigma * (cos2M + (b / 4) * (cosSigma * (2 * cos2M ** 2 - 1) - third));
    return B * a * (sigma - deltaSigma);
  }
  throw new Error('the points are antipodal');
}
