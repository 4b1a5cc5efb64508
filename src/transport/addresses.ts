import type { Secret } from './spellings.ts';

/** With a path or a query. */
const ADDRESS = /https?:\/\/[^\s"<>`/?#]*[/?#][^\s"<>`]+/g;
/** Where a frame of a stack is: a program, a line and a column. */
const POSITION = /:\d+:\d+\)?$/;

/** Addresses in what is said about the storage, whose addresses are signed: one is as good as a credential. */
export const ADDRESSES: Secret = {
  fittingIn: () => [
    {
      spans: text =>
        Array.from(text.matchAll(ADDRESS))
          .filter(([address]) => !POSITION.test(address))
          .map(({ 0: address, index }) => [index, index + address.length]),
    },
  ],
};
