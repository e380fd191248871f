import type { CommandFailure } from '../terminalSession.ts';

export function failureOf(failure: CommandFailure): 'device-refused' | 'device-no-answer' | 'device-offline' {
  switch (failure.reason) {
    case 'refused':
      return 'device-refused';
    case 'timeout':
      return 'device-no-answer';
    case 'closed':
      return 'device-offline';
  }
}
