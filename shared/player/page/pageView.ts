// What a video page knows once it has read its address and made its calls.
import i18next from 'i18next';
import type { ApiFailure } from '../../api/client.ts';
import type { DeviceQuery } from '../../api/devices/device.ts';
import { errorText } from '../../i18n/errorText.ts';

export type PageView<Ready extends ReadyView, Failure = PageFailure> =
  | { readonly kind: 'error'; readonly error: Failure }
  /** The address names nothing to show, such as no moment or no channel of the device. */
  | { readonly kind: 'nothing' }
  | Ready;

export interface ReadyView {
  readonly kind: 'ready';
  readonly source: DeviceQuery;
  /** The device by its name and plate number. */
  readonly vehicle: string;
}

export type PageFailure =
  /** The address is not that of a link. */
  { readonly kind: 'link' } | { readonly kind: 'call'; readonly failure: ApiFailure };

export function pageFailureText(error: PageFailure): string | undefined {
  switch (error.kind) {
    case 'link':
      return i18next.t("Can't open this link. It may be incomplete or from another server. Ask for a new one.", {
        ns: 'Player',
      });
    case 'call':
      return errorText(error.failure);
  }
}
