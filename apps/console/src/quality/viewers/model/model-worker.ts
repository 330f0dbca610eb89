import { ModelError, type ModelProblem } from './model-file';
import { parseModel } from './parse-model';
import type { ParsedModel } from './geometry';

/** What the worker answers. */
export type ModelAnswer = { model: ParsedModel } | { problem: ModelProblem; detail: string };

// A worker has the global functions of a window that it needs, with the same arguments.
addEventListener('message', ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  try {
    const model = parseModel(data);
    answer({ model }, 'glb' in model ? [model.glb.buffer] : buffersOf(model.geometry));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    answer({ problem: error.problem, detail: error.detail }, []);
  }
});

function answer(content: ModelAnswer, transfer: Transferable[]): void {
  postMessage(content, { transfer });
}

function buffersOf({ positions, colors, index }: Extract<ParsedModel, { geometry: unknown }>['geometry']): Transferable[] {
  return [positions, colors?.values, index].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
