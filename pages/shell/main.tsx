import { mountPage } from '../../shared/ui/mountPage.tsx';
import { markShell } from '../../shared/ui/shellWindow.ts';
import { Shell } from './Shell.tsx';

markShell();
await mountPage(<Shell />, ['Menu', 'Shell', 'Frame']);
