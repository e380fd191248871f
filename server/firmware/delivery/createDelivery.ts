import type { Delivery } from './delivery.ts';
import { deliverInPackages } from './packageDelivery.ts';
import { UrlDelivery, type UrlDeliveryDeps } from './urlDelivery.ts';

/** `close`: when the gateway stops. */
export function createDelivery(deps: UrlDeliveryDeps): Delivery & { close(): void } {
  const byUrl = new UrlDelivery(deps);
  return {
    deliver: (request) => (request.model.method === 'packages' ? deliverInPackages(request) : byUrl.deliver(request)),
    close: () => byUrl.close(),
  };
}
