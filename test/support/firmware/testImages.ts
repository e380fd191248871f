// Firmware images that are rows alone, for tests of tasks.
import type { TaskImage } from '../../../server/firmware/tasks/taskImage.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';

type ImageContent = Pick<TaskImage, 'vendor' | 'models' | 'hardwareVersion' | 'minimumVersion' | 'part'>;

export const IMAGE_CONTENT: ImageContent = {
  vendor: '',
  models: ['MDVR*'],
  hardwareVersion: '',
  minimumVersion: '',
  part: 'terminal',
};

export async function insertTestImage(
  db: StoreDb,
  memberGroup: number,
  change: Partial<TaskImage> = {},
): Promise<number> {
  const { name = 'Image', firmwareVersion = 'V2.0', bytes = 1_000, sha256 = 'a'.repeat(64), id: _, ...rest } = change;
  const row = await db
    .insertInto('firmware_image')
    .values({
      member_group: memberGroup,
      name,
      name_key: name.toLowerCase(),
      firmware_version: firmwareVersion,
      sha256,
      bytes,
      content: JSON.stringify({ ...IMAGE_CONTENT, ...rest }),
      added_at_ms: 1,
      added_by: 'Ann',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function findTestImage(db: StoreDb, id: number, memberGroup: number): Promise<TaskImage | undefined> {
  const images = db.selectFrom('firmware_image').selectAll().where('id', '=', id);
  const row = await images.where('member_group', '=', memberGroup).executeTakeFirst();
  if (row === undefined) return undefined;
  const content = JSON.parse(row.content) as ImageContent;
  const { name, sha256, bytes, firmware_version: firmwareVersion } = row;
  return { ...content, id, name, sha256, bytes, firmwareVersion };
}
