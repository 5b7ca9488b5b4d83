// Perceived difference of two colors, including color-vision deficiencies: simulated after
// Machado, Oliveira and Fernandes (2009) at full severity, compared as CIE 1976 ΔE.

export const VISIONS = ['normal', 'protan', 'deutan', 'tritan'] as const;
export type Vision = (typeof VISIONS)[number];

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Applied to linear red, green and blue. */
const SIMULATIONS: Readonly<Record<Vision, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  deutan: [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
  tritan: [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_9],
  ],
};

/** Linear sRGB to XYZ, white point D65. */
const TO_XYZ: Matrix = [
  [0.412_390_8, 0.357_584_3, 0.180_480_8],
  [0.212_639, 0.715_168_7, 0.072_192_3],
  [0.019_330_8, 0.119_194_8, 0.950_532_2],
];
const WHITE: Triple = [0.950_455_9, 1, 1.089_057_8];

/** Returns the ΔE of two `#rrggbb` colors. */
export function differenceOf(one: string, other: string, vision: Vision): number {
  const [first, second] = [labOf(one, vision), labOf(other, vision)];
  return Math.hypot(...first.map((part, at) => part - second[at]));
}

function labOf(colour: string, vision: Vision): Triple {
  const seen = times(SIMULATIONS[vision], linearOf(colour)).map(clamped) as unknown as Triple;
  const [x, y, z] = times(TO_XYZ, seen).map((part, at) => lightness(part / WHITE[at]));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export function linearOf(colour: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function times(matrix: Matrix, [a, b, c]: Triple): Triple {
  const [first, second, third] = matrix.map(([x, y, z]) => x * a + y * b + z * c);
  return [first, second, third];
}

function clamped(part: number): number {
  return Math.min(1, Math.max(0, part));
}

const LINEAR_BELOW = (6 / 29) ** 3;

function lightness(ratio: number): number {
  return ratio > LINEAR_BELOW ? Math.cbrt(ratio) : ratio / (3 * (6 / 29) ** 2) + 4 / 29;
}
