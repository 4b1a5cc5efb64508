import { isRecord } from '../../jsonapi/document.ts';
import { type Call, createCall, PREFIX } from '../http/call.ts';
import { notFound } from '../http/errors.ts';
import { refuseByPlan } from '../http/pipeline.ts';
import { createRouter } from '../http/router.ts';
import { routes } from '../routes/index.ts';

/** A record of the REST interface, with the records that were included. */
export interface Row {
  id: string;
  type: string;
  attributes: Record<string, unknown>;
  /** The record of a relationship, if it was included. */
  one(relationship: string): Row | null;
  /** The records of a relationship that were included. */
  many(relationship: string): Row[];
}

/** A response of the REST interface. */
export interface Rows {
  /** The member `data` of the document, unchanged. */
  data: unknown;
  rows: Row[];
  links: Record<string, unknown> | undefined;
  meta: Record<string, unknown> | undefined;
}

type QueryValue = string | number | readonly string[] | undefined;

/** The REST interface, which the tools use. A failed request throws its `HttpError`. */
export interface Rest {
  /** The service's time, in ms since 1970. */
  now(): number;
  get(path: string, query?: Record<string, QueryValue>): Promise<Rows>;
  post(path: string, body: unknown): Promise<Rows>;
}

const router = createRouter(routes);

/**
 * Makes REST requests for the account of a call, at the time of the call. The rate limit and the faults do not apply to
 * them.
 */
export function restOf({ backend, isForeign, url: { origin } }: Call): Rest {
  async function ask(method: 'GET' | 'POST', path: string, query: string, body?: unknown): Promise<Rows> {
    const url = new URL(`${origin}${PREFIX}${path}${query}`);
    const match = router(method, path);
    if (match === undefined) throw notFound();
    refuseByPlan(backend, match);
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const request = new Request(url, { method, ...(body !== undefined && json) });
    const reply = await match.route.handle(createCall(backend, request, url, match.params, () => {}, isForeign));
    return rowsOf(isRecord(reply.body) ? reply.body : {});
  }
  return {
    now: () => backend.now,
    get(path, query = {}) {
      const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
      const parameters = new URLSearchParams(
        present.flatMap(([name, value]) => [value].flat().map(one => [name, String(one)])),
      );
      return ask('GET', path, parameters.size === 0 ? '' : `?${parameters}`);
    },
    post: (path, body) => ask('POST', path, '', body),
  };
}

function rowsOf({ data, included, links, meta }: Record<string, unknown>): Rows {
  const all = [data, included].flat().filter(isRecord);
  const known = new Map(all.map(record => [`${record.type} ${record.id}`, record]));
  const row = (record: Record<string, unknown>): Row => {
    const related = (name: string) => {
      const { [name]: relationship } = isRecord(record.relationships) ? record.relationships : {};
      return (isRecord(relationship) ? [relationship.data].flat() : []).flatMap(reference => {
        const found = isRecord(reference) && known.get(`${reference.type} ${reference.id}`);
        return found ? row(found) : [];
      });
    };
    return {
      id: String(record.id),
      type: String(record.type),
      attributes: isRecord(record.attributes) ? record.attributes : {},
      one: name => related(name)[0] ?? null,
      many: related,
    };
  };
  return {
    data,
    rows: [data].flat().filter(isRecord).map(row),
    links: isRecord(links) ? links : undefined,
    meta: isRecord(meta) ? meta : undefined,
  };
}
