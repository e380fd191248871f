import { Permission } from '../../../../shared/protocol/permissions.ts';

/** The page Version, all of it. */
export const MAY_RUN_INSTALLATION = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Version] },
} as const;
