// The window that each file has to itself.
import { setStorages } from './webStorage.ts';

setStorages();
