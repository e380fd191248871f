import type { ServerInfo } from '../../../../shared/protocol/api/system.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../../bus/changeBus.ts';
import type { OnLimit } from '../../../limits/limit.ts';
import type { Stores } from '../../../store/stores.ts';

export interface TemplateRoutesDeps {
  readonly stores: Pick<Stores, 'notifyTemplates' | 'eventList' | 'eventTypes' | 'audit'>;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly serverInfo: { read(whole: boolean): Promise<ServerInfo> };
  readonly config: { readonly publicUrl?: string | undefined };
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

export const MAY_EDIT_TEMPLATES = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Template] },
} as const;
