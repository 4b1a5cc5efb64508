import { attribute } from '../../domain/attribute.ts';
import type { Credential } from '../../model/index.ts';
import type { CredentialDefaults } from '../../resources/root.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { FIELDS_OPTION, printValue } from '../output/print.ts';
import { pairs } from '../output/table.ts';

export const command: Command = {
  about: 'This command also works with the key of a free plan. It needs a service of November 2026 or later.',
  options: { ...FIELDS_OPTION, ...API_OPTIONS },
  run: values =>
    withClient(values, async (client, signal, { apiKey, baseUrl }) => {
      const credential = await client.me({ signal });
      const source = { base_url: baseUrl.value, base_url_from: baseUrl.from, key_from: apiKey.from };
      await printValue(values, { ...credential, ...source }, () =>
        pairs([...factsOf(credential), ['Service', `${baseUrl.value} (${baseUrl.from})`], ['Key', apiKey.from]]),
      );
    }),
};

/** `Acme Imports, jane@acme.example`: the account and the user of a key. */
export function ownerOf({ account, user }: Credential<CredentialDefaults>): string {
  const names = [textOf(account, 'company_name') ?? textOf(account, 'id'), textOf(user, 'email')];
  return names.filter(Boolean).join(', ');
}

function factsOf(credential: Credential<CredentialDefaults>): [string, string][] {
  const { account, user, features } = credential;
  const facts = [
    ['Credential', [textOf(credential, 'kind'), textOf(credential, 'name')].filter(Boolean).join(', ')],
    ['Account', textOf(account, 'company_name') ?? textOf(account, 'id')],
    ['Plan', textOf(account, 'plan')],
    ['User', textOf(user, 'email') ?? textOf(user, 'id')],
    ...Object.entries(Object(features)).map(([feature, value]) => [labelOf(feature), textOf(value, 'status')] as const),
  ] as const;
  return facts.flatMap(([fact, value]): [string, string][] => (value ? [[fact, value]] : []));
}

/** `Routing data`. */
function labelOf(feature: string): string {
  return feature.charAt(0).toUpperCase() + feature.slice(1).replaceAll('_', ' ');
}

/** The response may have another form: parts that do not fit are only logged. */
function textOf(record: unknown, name: string): string | undefined {
  const value = attribute(Object(record), name);
  return typeof value === 'string' ? value : undefined;
}
