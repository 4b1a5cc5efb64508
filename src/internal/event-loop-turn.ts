/**
 * Resolves after one iteration of the event loop, in which timers and sockets are handled. If `setImmediate` is
 * missing, the function uses a message channel, because browsers delay timers by 1 to 4 ms.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise(resolve => {
    const { setImmediate, MessageChannel } = globalThis;
    if (setImmediate) setImmediate(resolve);
    else if (MessageChannel) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        // An open port would keep the process alive.
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    } else setTimeout(resolve);
  });
}
