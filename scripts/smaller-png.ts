import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * The same picture in fewer bytes: with a palette of at most 256 colours, of which the rarest are replaced by their nearest. For
 * pictures of 8 bits per colour without gaps, as browsers make them.
 */
export function smallerPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = paletteOf([...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color));
  const indexes = new Map(palette.map((color, index) => [color, index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const color = pixels[y * width + x] ?? 0;
      let index = indexes.get(color);
      if (index === undefined) {
        index = nearest(palette, color);
        indexes.set(color, index);
      }
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap(color => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** At most 256 colours, the most used first: none that is nearly the same as another before. */
function paletteOf(colors: readonly number[]): number[] {
  for (let least = 0; ; least += 12) {
    const palette: number[] = [];
    for (const color of colors) {
      if (palette.every(other => distanceOf(color, other) > least) && palette.push(color) > 256) break;
    }
    if (palette.length <= 256) return palette;
  }
}

/** The square of the distance. */
function distanceOf(color: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, other] of palette.entries()) {
    const distance = distanceOf(color, other);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

/** Each pixel as 0xRRGGBB. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const line = new Uint8Array(stride);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const above = line.slice();
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : (line[x - channels] ?? 0);
      const corner = x < channels ? 0 : (above[x - channels] ?? 0);
      line[x] = (data[start + 1 + x] ?? 0) + predicted(data[start] ?? 0, left, above[x] ?? 0, corner);
    }
    for (let x = 0; x < width; x += 1) {
      const [red = 0, green = 0, blue = 0] = line.subarray(x * channels, x * channels + 3);
      pixels[y * width + x] = (red << 16) | (green << 8) | blue;
    }
  }
  return { width, height, pixels };
}

/** The filters of PNG: none, left, above, average, Paeth. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const estimate = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map(value => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
