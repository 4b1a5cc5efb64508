import { type MapFeature, type MapPosition, unwrapDateLine } from 'container-tracking-sdk';

/** A point of the drawing. `x` is in degrees. `y` increases to the south, and the Mercator projection stretches `y`. */
export type Point = [x: number, y: number];

export function project([longitude, latitude]: MapPosition): Point {
  const angle = (Math.max(-80, Math.min(84, latitude)) * Math.PI) / 180;
  return [longitude, (-Math.log(Math.tan(Math.PI / 4 + angle / 2)) * 180) / Math.PI];
}

/** A feature with its points on the drawing. */
export interface Drawn {
  properties: MapFeature['properties'];
  points: Point[];
}

/**
 * The features in the order of the journey. A route across the date line continues to the right, beyond 180 degrees, and does not
 * go back around the whole earth.
 */
export function drawn(features: MapFeature[]): Drawn[] {
  return unwrapDateLine({ type: 'FeatureCollection', features }).features.map(({ geometry, properties }) => {
    const positions = geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates;
    return { properties, points: positions.map(project) };
  });
}

/** Number of points between two of the given points. */
const STEPS = 8;

/** A Catmull-Rom spline through all points. Its points are so close to each other that the lines between them look round. */
export function smooth(points: Point[]): Point[] {
  const at = (index: number) => points[Math.max(0, Math.min(points.length - 1, index))] as Point;
  const curve = points.slice(1).flatMap((_, index) => {
    const around = [at(index - 1), at(index), at(index + 1), at(index + 2)] as const;
    return Array.from(
      { length: STEPS },
      (_, step): Point => [between(around, (step + 1) / STEPS, 0), between(around, (step + 1) / STEPS, 1)],
    );
  });
  return [at(0), ...curve];
}

function between([a, b, c, d]: readonly [Point, Point, Point, Point], t: number, axis: 0 | 1): number {
  const [p, q, r, s] = [a[axis], b[axis], c[axis], d[axis]];
  return q + (t / 2) * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
}

export interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest width of the view, in degrees. */
const LEAST_WIDTH = 40;
const MARGIN = 0.14;

/** The part of the drawing that shows all points, with the given ratio of width and height. */
export function viewOf(points: Point[], proportion: number): View {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const spread = 1 + 2 * MARGIN;
  const width = Math.max(LEAST_WIDTH, (right - left) * spread, (bottom - top) * spread * proportion);
  const height = width / proportion;
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}
