import type { ActionName } from '../../actions.ts';

/** The part of the sandbox that the reader looks at. */
export interface View {
  account: string;
  /** The number of shipments to show. */
  shipments: number;
  /** The id of the shipment whose timelines are shown; empty if none is open. */
  open: string;
}

/** The reader's side of the page, which each section gets. */
export interface Page {
  readonly view: Readonly<View>;
  /** Looks at something else. */
  look(changes: Partial<View>): void;
  /** Changes something in the sandbox, and says what came of it. */
  change(name: ActionName, body: object): Promise<void>;
}
