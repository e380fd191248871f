import type { Destination } from '../outgoing.ts';

/** Mail address or phone number; '' where there is none. */
export function addressOf(destination: Destination): string {
  switch (destination.to) {
    case 'service':
      return '';
    case 'address':
    case 'member':
      return destination.address;
  }
}
