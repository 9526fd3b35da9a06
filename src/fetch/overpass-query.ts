/** A box in degrees, each number as it was written. */
interface Box {
  west: string;
  south: string;
  east: string;
  north: string;
}

const DEGREES = /^-?\d{1,3}(?:\.\d{1,10})?$/;

/** Reads `west,south,east,north`; undefined if it is not a box. */
export function readBox(text: string): Box | undefined {
  const [west = '', south = '', east = '', north = '', ...rest] = text.split(',');
  if (rest.length > 0 || ![west, south, east, north].every((number) => DEGREES.test(number))) return undefined;
  const isInOrder = Number(west) < Number(east) && Number(south) < Number(north);
  const isOnEarth = Math.abs(Number(west)) <= 180 && Math.abs(Number(east)) <= 180;
  return isInOrder && isOnEarth && Number(south) >= -90 && Number(north) <= 90
    ? { west, south, east, north }
    : undefined;
}

const VENUES = '^(amenity|shop|tourism|office|leisure|healthcare|craft)$';

/** What the reader of OpenStreetMap uses: buildings and their parts with all members and nodes, and named venues. */
export function boxQuery({ west, south, east, north }: Box): string {
  return [
    `[out:json][timeout:180][bbox:${south},${west},${north},${east}];`,
    '(way["building"];relation["building"];way["building:part"];relation["building:part"];',
    `relation["type"="building"];node["name"][~"${VENUES}"~"."];);`,
    '(._;>>;);out body;',
  ].join('');
}
