export interface Gate {
  /** Resolves when the gate is opened. */
  opened: Promise<void>;
  open(): void;
}

/** Allows a test to decide when something continues. A wait of some ms would depend on the speed of the machine. */
export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}
