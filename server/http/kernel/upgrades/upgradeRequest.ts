import { IncomingMessage } from 'node:http';

/** Whether an upgrade that a request offers is taken. */
export type TakesUpgrade = (request: IncomingMessage) => boolean;

/**
 * Node's server hands every request with an `Upgrade` header to the `upgrade` listener, once there is one, and detaches its
 * parser: the request's body and what follows it on the connection are lost. It decides so by the request's `upgrade` property, so
 * the requests of our server say for themselves whether they are meant. One that is not is answered as if it offered
 * nothing, which HTTP asks for (RFC 9110, 7.8). Node 20 has no option for this (`shouldUpgradeCallback` came with 24), and the listener
 * could answer only without the body.
 */
export function upgradableRequests(takesUpgrade: TakesUpgrade): typeof IncomingMessage {
  return class UpgradableRequest extends IncomingMessage {
    offersUpgrade = false;

    get upgrade(): boolean {
      // The server closes a connection that asks for a tunnel; as an ordinary request it would be waited for.
      return this.offersUpgrade && (this.method === 'CONNECT' || takesUpgrade(this));
    }

    set upgrade(offers: boolean | null) {
      this.offersUpgrade = offers === true;
    }
  };
}
