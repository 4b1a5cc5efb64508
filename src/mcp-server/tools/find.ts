import { numberAsStored, parseContainerNumber } from '../../domain/container-number.ts';
import { joined, quoted, short, text, texts, visible } from '../../domain/record-values.ts';
import type { SearchResult } from '../../model/index.ts';
import { ToolFailure } from '../failure.ts';
import { UUID } from '../schema.ts';
import type { ToolContext } from '../tool.ts';

const KINDS: Readonly<Record<string, 'container' | 'shipment'>> = {
  cargo: 'container',
  container: 'container',
  shipment: 'shipment',
};

const MAX_LISTED = 20;

interface Found {
  id: string;
  number: string;
  /** The day of its creation, to choose from several records with the same number. */
  day?: string | undefined;
}

type FindContext = Pick<ToolContext, 'caller' | 'limits'>;

/** The search results whose number is exactly `number`. Without such results, those whose reference is exactly `number`. */
async function exactHits(number: string, { caller, limits }: FindContext): Promise<SearchResult[]> {
  const wanted = squeezed(number);
  const isWanted = (value: unknown) => squeezed(text(value) ?? '') === wanted;
  const hits = await caller.client.search(number, limits());
  const byNumber = hits.filter(hit => isWanted(hit.number));
  return byNumber.length > 0 ? byNumber : hits.filter(hit => texts(hit.ref_numbers).some(isWanted));
}

const squeezed = (value: string) => value.replaceAll(/\s+/g, '').toUpperCase();

/**
 * The id of the record with this id or number. An id needs no request.
 *
 * @throws {ToolFailure} if no record has the number, or several records have it.
 */
export async function idOf(kind: 'container' | 'shipment', given: string, context: FindContext): Promise<string> {
  if (UUID.test(given)) return given;
  const hits = await exactHits(numberAsStored(given), context);
  const direct = hits.filter(hit => KINDS[text(hit.entity_type) ?? ''] === kind).map(foundOf);
  const found = direct.length > 0 ? direct : await relatedOf(kind, hits, context);
  const [only] = found;
  const shown = quoted(visible(given));
  if (!only) throw missing(shown, given, hits.length > 0);
  if (found.length === 1) return only.id;
  const isEnough = ({ number }: Found) =>
    number !== '' && !number.includes('«cut»') && found.filter(other => other.number === number).length === 1;
  const list = found.slice(0, MAX_LISTED);
  const texts = list.map(one => joined([quoted(one.number), ...(isEnough(one) ? [] : [one.day, quoted(one.id)])], ' '));
  const left = found.length - list.length;
  const more = left > 0 ? ` ${left} more are in list_${kind}s.` : '';
  throw new ToolFailure(
    'ambiguous',
    `${found.length} ${kind}s fit ${shown}: ${texts.join(', ')}.${more} Call again with one of these ${list.every(isEnough) ? 'numbers' : 'ids'}.`,
  );
}

function missing(shown: string, given: string, isRequested: boolean): ToolFailure {
  if (isRequested)
    return new ToolFailure(
      'not_found',
      `${shown} is only a tracking request, and nothing is known of it yet. list_tracking_requests has its status.`,
    );
  const message = `The account has nothing of the number ${shown}. search_container finds parts of numbers, and customers.`;
  const parsed = parseContainerNumber(given);
  if (parsed.valid || parsed.reason !== 'check_digit') return new ToolFailure('not_found', message);
  const expected_number = parsed.number.slice(0, 10) + parsed.expectedCheckDigit;
  const hint = `As a container it has a wrong check digit: perhaps it is ${expected_number}.`;
  return new ToolFailure('not_found', `${message} ${hint}`, { expected_number });
}

function foundOf({ id, number, created_at }: SearchResult): Found {
  const day = text(created_at)?.slice(0, 'YYYY-MM-DD'.length);
  return { id, number: short(number) ?? '', day: day && `of ${quoted(day)}` };
}

/** The shipment of a container, or the containers of a shipment. */
async function relatedOf(kind: 'container' | 'shipment', hits: SearchResult[], context: FindContext): Promise<Found[]> {
  if (kind === 'shipment') {
    const ids = new Set(hits.flatMap(({ shipment_id }) => text(shipment_id) ?? []));
    return Array.from(ids, id => ({ id, number: '' }));
  }
  const { caller, limits } = context;
  const shipments = hits.filter(({ entity_type }) => entity_type === 'shipment').slice(0, MAX_LISTED);
  const read = await Promise.all(
    shipments.map(({ id }) => caller.client.shipments.get(id, { include: ['containers'], ...limits() })),
  );
  return read.flatMap(({ containers }) =>
    (containers ?? []).map(container => {
      caller.saw(container);
      return { id: container.id, number: short(container.number) ?? '' };
    }),
  );
}
