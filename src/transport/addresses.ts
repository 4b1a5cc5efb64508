import type { Secret } from './spellings.ts';

/**
 * Addresses with a path or a query, in what is said about the storage. Those of the storage are signed: one is as good as a
 * credential.
 */
export const ADDRESSES: Secret = {
  fittingIn: () => [
    {
      spans: text =>
        Array.from(text.matchAll(/https?:\/\/[^\s"<>`/?#]*[/?#][^\s"<>`]+/g), ({ 0: address, index }) => [
          index,
          index + address.length,
        ]),
    },
  ],
};
