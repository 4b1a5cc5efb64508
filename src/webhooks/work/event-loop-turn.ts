/**
 * A turn of the event loop: timers and sockets are served before it resolves. Browsers hold timers back for 1 to 4 ms, so
 * where there is no `setImmediate` a message does it.
 */
export function turn(): Promise<void> {
  return new Promise(resolve => {
    const { setImmediate, MessageChannel } = globalThis;
    if (setImmediate) setImmediate(resolve);
    else if (MessageChannel) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        // An open one keeps the process alive.
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    } else setTimeout(resolve);
  });
}
