import { expect, it as withoutScene } from 'vitest';
import { type RemoteScene, type SceneOptions, startRemoteScene } from './remoteScene.ts';

/**
 * A test that starts a scene of its own, closed when the test is over. Scenes share nothing and mostly wait, so such tests run side
 * by side.
 */
export const it = withoutScene.extend<{ start: (options?: SceneOptions) => Promise<RemoteScene> }>({
  start: async ({ task: _ }, use) => {
    const scenes: RemoteScene[] = [];
    await use(async (options) => {
      const scene = await startRemoteScene(options);
      scenes.push(scene);
      return scene;
    });
    for (const scene of scenes) {
      await scene.close();
      expect(scene.faults).toEqual([]);
    }
  },
});
