import { expectedCheckDigit } from '../domain/container-number.ts';

/**
 * The end of a message about a container number with a wrong check digit. Empty if the number is right, or is of another kind.
 */
export function digitProblem({ number, type = 'container' }: { number: string; type?: string | undefined }): string {
  const compact = number.replace(/\W/g, '').toUpperCase();
  const [, ten = '', digit] = /^([A-Z]{3}[UJZ]\d{6})(\d)$/.exec(compact) ?? [];
  const expected = expectedCheckDigit(ten);
  if (type !== 'container' || !digit || +digit === expected) return '';
  return `. ${compact} is not a container number: its last digit would be ${expected}, not ${digit}.`;
}
