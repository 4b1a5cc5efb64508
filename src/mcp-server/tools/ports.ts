import { included, quoted, several, short, text } from '../../domain/record-values.ts';
import { matcherOf } from '../../worklist/narrowing.ts';
import { ToolFailure } from '../failure.ts';
import type { ToolContext } from '../tool.ts';
import { accountOf } from './account.ts';
import { codes } from './list.ts';

/** The codes of the ports in an argument. */

const CODE = /^[A-Z]{2}[A-Z0-9]{3}$/i;

const MOST_PORTS = 10;

/**
 * The codes of the ports in an argument. Each value is a UN/LOCODE, or a part of the name of a port to which containers of the
 * account go. The containers are read only for a name.
 *
 * @throws {ToolFailure} for a name that none of these ports has.
 */
export async function portCodesOf(value: string, context: ToolContext): Promise<string[]> {
  const given = several(value);
  if (given.every(part => CODE.test(part))) return codes('port', value);
  const ports = new Map<string, string>();
  for (const { container } of await accountOf(context)) {
    const shipment = included(container.shipment);
    const code = text(shipment?.port_of_discharge_locode);
    if (code) ports.set(code, text(shipment?.port_of_discharge_name) ?? '');
  }
  return given.flatMap(part => {
    const isIn = matcherOf(part);
    const found = [...ports].flatMap(([code, name]) => (isIn(`${code} ${name}`) ? [code] : []));
    if (found.length > 0) return found;
    if (CODE.test(part)) return [part.toUpperCase()];
    throw unknownPort(part, ports);
  });
}

function unknownPort(part: string, ports: ReadonlyMap<string, string>): ToolFailure {
  const known = Array.from(ports, ([code, name]) => quoted(short(`${code} ${name}`) ?? '')).slice(0, MOST_PORTS);
  const others = known.length > 0 ? ` Containers of the account go to ${known.join(', ')}.` : '';
  return new ToolFailure(
    'invalid_request',
    `port must be a UN/LOCODE, such as USLGB, or the name of a port of the account, not ${quoted(short(part) ?? '')}.${others}`,
  );
}
