import { NO_TRAFFIC_METER, type TrafficMeter } from '../../device/usage/trafficMeter.ts';
import type { Delivery } from './delivery.ts';
import { deliverInPackages } from './packageDelivery.ts';
import { UrlDelivery, type UrlDeliveryDeps } from './urlDelivery.ts';

export interface DeliveryDeps extends UrlDeliveryDeps {
  /** Hears of the bytes of 0x8108; downloads are counted by their servers. */
  readonly meter?: TrafficMeter;
}

/** `close`: when the gateway stops. */
export function createDelivery({ meter = NO_TRAFFIC_METER, ...deps }: DeliveryDeps): Delivery & { close(): void } {
  const byUrl = new UrlDelivery(deps);
  return {
    deliver: (request) =>
      request.model.method === 'packages' ? deliverInPackages(request, meter) : byUrl.deliver(request),
    close: () => byUrl.close(),
  };
}
