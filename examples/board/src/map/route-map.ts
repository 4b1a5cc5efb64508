import type { MapFeature, MapFeatureCollection } from 'container-tracking-sdk';
import { h, svg } from '../view/dom.ts';
import { LAND } from './land.ts';
import { type Drawn, drawn, type Point, smooth, type View, viewOf } from './projection.ts';

/** Shows the journey of one container: ports, legs and the vessel. It needs no tiles and no network. */
export interface RouteMap {
  element: HTMLElement;
  /** Shows a map, or nothing while the map is still being read. */
  show(map: MapFeatureCollection | undefined): void;
}

const STEP = 15;

export function routeMap(): RouteMap {
  const canvas = svg('svg', { class: 'map', role: 'img', 'aria-label': 'Map of the journey' });
  const empty = h('p', { class: 'map-empty', hidden: '' }, 'The carrier has not reported a route yet.');
  const element = h('div', { class: 'map-frame' }, canvas, empty);
  let features: MapFeature[] | undefined;

  function draw(): void {
    const { clientWidth, clientHeight } = element;
    empty.hidden = features?.length !== 0;
    canvas.replaceChildren();
    if (!features?.length || clientHeight === 0) return;
    const route = drawn(features);
    const points = route.flatMap(each => each.points);
    const view = viewOf(points, clientWidth / clientHeight);
    canvas.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
    canvas.setAttribute('aria-label', describe(features));
    const pixel = view.width / clientWidth;
    canvas.append(...graticule(view), ...land(view), ...legs(route), ...ports(route, pixel), ...vessel(route, pixel));
  }

  new ResizeObserver(draw).observe(element);
  return {
    element,
    show(map) {
      features = map?.features;
      draw();
    },
  };
}

/** Describes the map for readers who cannot see it. */
function describe(features: MapFeature[]): string {
  const names = features.flatMap(({ properties }) => (properties.feature_type === 'port' ? [properties.name] : []));
  const vessels = features.flatMap(({ properties }) =>
    properties.feature_type === 'current_vessel' ? [` ${properties.vessel_name} is at sea.`] : [],
  );
  return `Map of the journey: ${names.join(', ')}.${vessels.join('')}`;
}

function graticule({ x, y, width, height }: View): Element[] {
  const lines: Element[] = [];
  for (let at = Math.ceil(x / STEP) * STEP; at < x + width; at += STEP) {
    lines.push(svg('line', { x1: `${at}`, x2: `${at}`, y1: `${y}`, y2: `${y + height}` }));
  }
  for (let at = Math.ceil(y / STEP) * STEP; at < y + height; at += STEP) {
    lines.push(svg('line', { x1: `${x}`, x2: `${x + width}`, y1: `${at}`, y2: `${at}` }));
  }
  return [svg('g', { class: 'graticule' }, ...lines)];
}

/** The land, repeated to the left and to the right, for routes across the date line. */
function land({ x, width }: View): Element[] {
  const copies = [-360, 0, 360].filter(shift => x < 200 + shift && x + width > -190 + shift);
  return copies.map(shift => svg('path', { class: 'land', d: LAND, transform: `translate(${shift})` }));
}

function legs(route: Drawn[]): Element[] {
  return route.flatMap(({ properties, points }) => {
    const isLine = points.length > 1;
    const state = properties.feature_type === 'past_vessel_locations' ? 'past' : 'ahead';
    return isLine ? [svg('path', { class: `leg ${state}`, d: `M${smooth(points).map(pair).join('L')}` })] : [];
  });
}

function ports(route: Drawn[], pixel: number): Element[] {
  return route.flatMap(({ properties, points: [at] }) => {
    if (properties.feature_type !== 'port' || !at) return [];
    const { ports_sequence, ports_total, name, inbound_ata_at, outbound_atd_at } = properties;
    const isEnd = ports_sequence === 1 || ports_sequence === ports_total;
    const isReached = Boolean(inbound_ata_at ?? outbound_atd_at);
    const size = isEnd ? 5 : 3.5;
    return [
      svg('circle', {
        class: isReached ? 'port reached' : 'port',
        cx: `${at[0]}`,
        cy: `${at[1]}`,
        r: `${size * pixel}`,
      }),
      label(name, at, isEnd ? 12.5 : 11, pixel, ports_sequence % 2 === 0 && !isEnd),
    ];
  });
}

function label(text: string, [x, y]: Point, size: number, pixel: number, isBelow: boolean): Element {
  const attributes = {
    class: 'place',
    x: `${x}`,
    y: `${y + (isBelow ? size + 6 : -10) * pixel}`,
    'font-size': `${size * pixel}`,
    'stroke-width': `${4 * pixel}`,
  };
  return svg('text', attributes, text);
}

function vessel(route: Drawn[], pixel: number): Element[] {
  return route.flatMap(({ properties, points: [at] }) => {
    if (properties.feature_type !== 'current_vessel' || !at) return [];
    const heading = properties.vessel_location_heading ?? 90;
    const place = `translate(${at[0]} ${at[1]}) scale(${pixel})`;
    return [
      svg(
        'g',
        { class: 'vessel', transform: place },
        svg('title', {}, `${properties.vessel_name}, ${properties.vessel_location_speed ?? '?'} knots`),
        svg('circle', { class: 'halo', r: '16' }),
        svg('path', { class: 'hull', d: 'M0 -11L6 9L0 5L-6 9Z', transform: `rotate(${heading})` }),
      ),
      label(properties.vessel_name, at, 11, pixel, true),
    ];
  });
}

const pair = ([x, y]: Point) => `${x.toFixed(2)} ${y.toFixed(2)}`;
