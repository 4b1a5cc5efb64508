import { operations } from './description.ts';
import { literals } from './type-text.ts';

/** The types of the operations, with which the compiler finds a method that differs from its operation. */
export function operationTypes(): string {
  const rows = operations.map(({ name, method, answer, query, include }) => {
    const names = query.map(parameter => parameter.name.split('[')[0] ?? '').filter(first => first !== 'page');
    const parameters = literals([...new Set([...names, ...(include ? ['include'] : [])])]);
    const type = answer.shape === 'nothing' ? 'never' : `'${answer.type}'`;
    const shape = answer.mayBeEmpty && answer.shape === 'json' ? 'json or nothing' : answer.shape;
    return `'${name}': { method: '${method}'; shape: '${shape}'; type: ${type}; parameters: ${parameters} };`;
  });
  return `/** Every operation of the service: its method, its response and the names of its query parameters. */
export interface Operations {
${rows.join('\n')}
}
`;
}
