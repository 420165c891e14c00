import { randomToken } from "../core/seeded-random.ts";
import type { TelegramState } from "./telegram-state.ts";
import type { SimFile } from "./world.ts";

/** Keeps a file and gives it its ids. */
export function addFile(
  state: TelegramState,
  given: { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array },
): SimFile {
  const fileId = `AgAD${randomToken(state.random, 40)}`;
  const folder = given.mediaType.startsWith("image/") ? "photos" : "documents";
  const file: SimFile = {
    ...given,
    fileId,
    uniqueId: `AQAD${randomToken(state.random, 8)}`,
    path: `${folder}/file_${state.files.size}${/\.[A-Za-z0-9]+$/.exec(given.name)?.[0] ?? ""}`,
  };
  state.files.set(fileId, file);
  return file;
}
