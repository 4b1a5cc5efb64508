import { encode } from 'gpt-tokenizer';

/** How many tokens a text is, by a tokenizer of the field. */
export const tokensOf = (text: string): number => encode(text).length;
