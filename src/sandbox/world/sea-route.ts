import type { Port } from './places.ts';

export interface Point {
  latitude: number;
  longitude: number;
}

const point = (latitude: number, longitude: number): Point => ({ latitude, longitude });

/**
 * Points of the sea route between East Asia and North Europe. A port has a position on this route: 2.5 is half way between
 * the points 2 and 3.
 */
const EURASIA = [
  point(1.2, 103.9), // 0 Singapore Strait
  point(5.9, 95), // 1 Malacca Strait
  point(5.6, 80.6), // 2 Dondra Head
  point(12.3, 45), // 3 Gulf of Aden
  point(12.6, 43.3), // 4 Bab el-Mandeb
  point(27.5, 34.2), // 5 Red Sea
  point(31.3, 32.4), // 6 Suez
  point(37, 11), // 7 Sicily
  point(35.95, -5.6), // 8 Gibraltar
  point(43.4, -9.8), // 9 Finisterre
  point(48.8, -5.8), // 10 Ushant
  point(51, 1.5), // 11 Dover
];
const GIBRALTAR = 8;
const USHANT = 10;

const POSITIONS: Record<string, number> = {
  SGSIN: 0.1,
  MYPKG: 0.5,
  IDJKT: -0.1,
  LKCMB: 2.1,
  INNSA: 2.5,
  INMUN: 2.6,
  TRAMB: 6.5,
  ITGOA: 7.5,
  ESVLC: 7.7,
  ESALG: 7.9,
  GBFXT: 11.2,
  BEANR: 11.3,
  NLRTM: 11.4,
  DEHAM: 11.5,
};

/** Ports of East Asia are before the first point. */
const positionOf = (port: Port) => POSITIONS[port.code] ?? -1;

const NORTH_PACIFIC = [point(34, 141.5), point(46, -170)];
const PANAMA = [point(20, 160), point(7.5, -79.9), point(9.4, -79.9)];
const WINDWARD = point(20, -74.2);
const RECIFE = point(-7, -34.3);
const FLORIDA_STRAIT = point(24.3, -81.5);

const WEST_COAST = new Set(['USLAX', 'USLGB', 'USOAK', 'USTIW']);

/** The points of a vessel's route, including the two ports. */
export function seaRoute(from: Port, to: Port): Point[] {
  return [from, ...between(from, to), to];
}

function between(from: Port, to: Port): Point[] {
  if (WEST_COAST.has(to.code)) return NORTH_PACIFIC;
  if (to.code === 'COCTG') return from.code === 'BRSSZ' ? [RECIFE] : PANAMA;
  if (to.countryCode === 'US') return [...towardsAtlantic(from), ...(to.code === 'USHOU' ? [FLORIDA_STRAIT] : [])];
  return alongEurasia(positionOf(from), positionOf(to));
}

function towardsAtlantic(from: Port): Point[] {
  if (from.code === 'BRSSZ') return [RECIFE];
  if (from.code === 'COCTG') return [WINDWARD];
  const position = positionOf(from);
  if (position < 1) return [...PANAMA, WINDWARD];
  return alongEurasia(position, position < GIBRALTAR ? GIBRALTAR + 0.1 : USHANT - 0.1);
}

function alongEurasia(from: number, to: number): Point[] {
  return from < to
    ? EURASIA.filter((_, index) => index > from && index < to)
    : EURASIA.filter((_, index) => index < from && index > to).reverse();
}

const EARTH_RADIUS_NM = 3440;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/** The central angle between two points, in radians. */
function angle(from: Point, to: Point): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const h =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * Math.asin(Math.sqrt(h));
}

/** The length of a path in nautical miles. */
export function distance(way: Point[]): number {
  let total = 0;
  for (const [index, to] of way.entries()) {
    const from = way[index - 1];
    if (from !== undefined) total += angle(from, to) * EARTH_RADIUS_NM;
  }
  return total;
}

export interface Position extends Point {
  /** In degrees; 0 is north, 90 is east. */
  heading: number;
}

/**
 * The position of a vessel after a share of its path, from 0 to 1. Between two points, the path follows the great
 * circle.
 */
export function positionOn(way: Point[], share: number): Position {
  let left = distance(way) * Math.min(Math.max(share, 0), 1);
  let last: Position = { ...round(way[0] ?? point(0, 0)), heading: 0 };
  for (const [index, to] of way.entries()) {
    const from = way[index - 1];
    if (from === undefined) continue;
    const length = angle(from, to) * EARTH_RADIUS_NM;
    if (left <= length)
      return { ...round(onGreatCircle(from, to, length === 0 ? 0 : left / length)), heading: heading(from, to) };
    left -= length;
    last = { ...round(to), heading: heading(from, to) };
  }
  return last;
}

function onGreatCircle(from: Point, to: Point, share: number): Point {
  const whole = angle(from, to);
  if (whole === 0) return from;
  const a = Math.sin((1 - share) * whole) / Math.sin(whole);
  const b = Math.sin(share * whole) / Math.sin(whole);
  const [lat1, lon1, lat2, lon2] = [from.latitude, from.longitude, to.latitude, to.longitude].map(radians) as [
    number,
    number,
    number,
    number,
  ];
  const x = a * Math.cos(lat1) * Math.cos(lon1) + b * Math.cos(lat2) * Math.cos(lon2);
  const y = a * Math.cos(lat1) * Math.sin(lon1) + b * Math.cos(lat2) * Math.sin(lon2);
  const z = a * Math.sin(lat1) + b * Math.sin(lat2);
  return point(degrees(Math.atan2(z, Math.hypot(x, y))), degrees(Math.atan2(y, x)));
}

function heading(from: Point, to: Point): number {
  const [lat1, lat2] = [radians(from.latitude), radians(to.latitude)];
  const turn = radians(to.longitude - from.longitude);
  const y = Math.sin(turn) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(turn);
  return Math.round((degrees(Math.atan2(y, x)) + 360) % 360) % 360;
}

const round = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude * 1e4) / 1e4,
  longitude: Math.round(longitude * 1e4) / 1e4,
});
