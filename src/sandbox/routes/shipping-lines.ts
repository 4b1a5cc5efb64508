import { shippingLine } from '../entities/shipping-line.ts';
import { orNotFound } from '../http/errors.ts';
import { one, wholeList } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import type { Carrier } from '../world/carriers.ts';

export const shippingLineRoutes: Route[] = [
  {
    method: 'GET',
    path: '/shipping_lines',
    handle(call) {
      const text = call.query.get('search')?.toUpperCase() ?? '';
      return wholeList(call, call.backend.carriers.filter(carrier => mentions(carrier, text)).map(shippingLine));
    },
  },
  {
    method: 'GET',
    path: '/shipping_lines/:id',
    handle: call =>
      one(call, shippingLine(orNotFound(call.backend.carriers.find(({ id }) => id === call.param('id'))))),
  },
];

function mentions({ scac, name, shortName, alternatives }: Carrier, text: string): boolean {
  return [scac, name, shortName, ...alternatives].some(candidate => candidate.toUpperCase().includes(text));
}
