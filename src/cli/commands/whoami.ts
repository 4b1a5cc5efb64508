import type { Credential } from '../../model/index.ts';
import type { CredentialDefaults } from '../../resources/root.ts';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { printValue } from '../output/print.ts';
import { table } from '../output/table.ts';

export const command: Command = {
  details: `      Works with the key of a free plan too. A service of before November 2026 does not have it.
${API_DETAILS}`,
  options: API_OPTIONS,
  run: values =>
    withClient(values, async (client, signal) => {
      const credential = await client.me({ signal });
      printValue(values, credential, () =>
        table(
          [
            ['FACT', ([name]) => name],
            ['VALUE', ([, value]) => value],
          ],
          factsOf(credential),
        ),
      );
    }),
};

function factsOf({ kind, name, account, user, features }: Credential<CredentialDefaults>): [string, string][] {
  const facts = [
    ['credential', name ? `${kind}, ${name}` : kind],
    ['account', 'company_name' in account ? account.company_name : account.id],
    ['plan', 'plan' in account ? account.plan : undefined],
    ['user', user && 'email' in user ? user.email : user?.id],
    ...Object.entries(features).map(([feature, { status }]) => [feature, status] as const),
  ] as const;
  return facts.flatMap(([fact, value]): [string, string][] => (value ? [[fact, value]] : []));
}
