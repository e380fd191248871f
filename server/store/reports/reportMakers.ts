// Whether the maker of a schedule may still have its report.
import { permissionsOfRole } from '../accounts/roles.ts';
import type { StoreDb } from '../engine/database.ts';

export interface ReportMaker {
  readonly username: string;
  readonly disabled: boolean;
  /** 0: never. */
  readonly expiresAtMs: number;
  readonly permissions: readonly string[];
}

export interface ReportMakerStore {
  /** Undefined for somebody who does not belong to the member group, or is not there any more. */
  find(userId: number, memberGroup: number): Promise<ReportMaker | undefined>;
}

export function createReportMakerStore(db: StoreDb): ReportMakerStore {
  return {
    find: async (userId, memberGroup) => {
      const row = await db
        .selectFrom('app_user')
        .innerJoin('app_user_member_group as belongs', 'belongs.user_id', 'app_user.id')
        .innerJoin('member_group', 'member_group.serialno', 'belongs.member_group')
        .leftJoin('role', 'role.id', 'app_user.role')
        .select(['app_user.username', 'app_user.disabled', 'app_user.expires_at_ms'])
        .select(['app_user.permissions as own_permissions', 'role.built_in', 'role.permissions'])
        .where('app_user.id', '=', userId)
        .where('belongs.member_group', '=', memberGroup)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { built_in, permissions, own_permissions } = row;
      const isOwn = built_in === null || permissions === null;
      return {
        username: row.username,
        disabled: row.disabled !== 0,
        expiresAtMs: row.expires_at_ms,
        permissions: isOwn ? (JSON.parse(own_permissions) as string[]) : permissionsOfRole({ built_in, permissions }),
      };
    },
  };
}
