import assert from 'node:assert/strict';
import { schemas } from 'container-tracking-sdk/schemas';
import * as z from 'zod';

const box = z.object({ party: schemas.party, at: z.string() });
const given = company_name => ({ party: { type: 'party', id: '1', attributes: { company_name } }, at: '2026-03-09' });
assert.equal(box.safeParse(given('Acme')).success, true);
assert.equal(box.safeParse(given(5)).error.issues[0].path.join('.'), 'party.attributes.company_name');
