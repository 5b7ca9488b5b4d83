// The only error of encoding and decoding. Decoding throws it for bytes that the encoder would not
// write; encoding throws it for values that the wire format cannot represent.

export type CodecProblem =
  | 'truncated'
  | 'trailing_bytes'
  | 'wrong_magic'
  | 'newer_schema'
  | 'unknown_kind'
  | 'unknown_word'
  | 'not_canonical'
  | 'out_of_range'
  | 'text_too_long'
  | 'text_not_unicode'
  | 'too_many_records'
  | 'frame_too_large'
  | 'wrong_length';

export class CodecFault extends Error {
  override readonly name = 'CodecFault';
  readonly problem: CodecProblem;

  constructor(problem: CodecProblem, detail: string) {
    super(`${problem}: ${detail}`);
    this.problem = problem;
  }
}
