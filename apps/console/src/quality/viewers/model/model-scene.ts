import {
  AmbientLight,
  Box3,
  BufferAttribute,
  Color,
  DirectionalLight,
  Mesh,
  OrthographicCamera,
  Points,
  Scene,
  Sphere,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
  type BufferGeometry,
  type Material,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { sharersOf, thinnedIndex, trialSharers } from './model-thinning';
import type { Model } from './read-model';

/** Standard views of a drawing, and one from a corner. */
export const VIEWS = ['corner', 'front', 'back', 'left', 'right', 'top', 'bottom'] as const;
export type ModelView = (typeof VIEWS)[number];

/** Direction from the model to the eye; z points up. */
const DIRECTIONS: Readonly<Record<ModelView, readonly [x: number, y: number, z: number]>> = {
  corner: [1, -1.4, 0.9],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, 0, 1],
  bottom: [0, 0, -1],
};
/** Attributes of the context of the canvas. */
export const CONTEXT = { antialias: true, alpha: true };
/** Room around a fitted model. */
const MARGIN = 1.08;
/** A flat model that is seen from its edge is not magnified more. */
const MAX_FITTED_ZOOM = 20;
const MAX_PIXEL_RATIO = 2;

/** A model on a canvas, drawn when something has changed. */
export class ModelScene {
  private readonly canvas: HTMLCanvasElement;
  private readonly model: Model;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new OrthographicCamera();
  private readonly controls: OrbitControls;
  private readonly scene = new Scene();
  private readonly sphere: Sphere;
  private readonly sizes: ResizeObserver;
  private readonly onThinned: (drawn: number) => void;
  /** Triangles and points. */
  private readonly elements: number;
  /** Corners of geometries of which a part is drawn. */
  private readonly wholes = new Map<BufferGeometry, BufferAttribute | null>();
  private frame = 0;
  /** Frames until the speed of the machine is known: the first one also loads the model. */
  private unmeasured = 0;

  /**
   * @param canvas has a context of WebGL 2 with the attributes `CONTEXT`
   * @param onThinned called with the triangles and points that are drawn where the machine is too slow for all
   */
  constructor(canvas: HTMLCanvasElement, model: Model, onThinned: (drawn: number) => void) {
    this.canvas = canvas;
    this.model = model;
    this.onThinned = onThinned;
    this.elements = model.triangles + model.points;
    if (trialSharers(this.elements) > 1) {
      this.unmeasured = 2;
      this.drawEvery(trialSharers(this.elements));
    }
    this.renderer = new WebGLRenderer({ canvas, ...CONTEXT });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    this.sphere = model.box.getBoundingSphere(new Sphere());
    this.sphere.radius = this.sphere.radius || 1;
    this.camera.up.set(0, 0, 1);
    const light = new DirectionalLight(0xffffff, 2.6);
    light.position.set(0.4, 0.7, 1);
    this.scene.add(model.object, new AmbientLight(0xffffff, 1.2), this.camera);
    // The light moves with the eye.
    this.camera.add(light, light.target);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', this.draw);
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(canvas);
    this.resize();
    this.show('corner');
  }

  /** Looks at the whole model from a side. */
  show(view: ModelView): void {
    this.lookFrom(new Vector3(...DIRECTIONS[view]));
  }

  /** Shows the whole model from where the eye is. */
  fit(): void {
    this.lookFrom(this.camera.position.clone().sub(this.controls.target));
  }

  /** Turns the eye around the model, radians. */
  turn(right: number, up: number): void {
    this.controls.rotateLeft(-right);
    this.controls.rotateUp(-up);
  }

  /** Comes closer by a factor; below 1 it goes away. */
  zoom(factor: number): void {
    this.controls.dollyIn(1 / factor);
  }

  /** Moves the model on the canvas, px. */
  move(right: number, up: number): void {
    this.controls.pan(right, -up);
  }

  /** Frees the memory of the graphics. */
  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.sizes.disconnect();
    this.controls.dispose();
    this.model.object.traverse((each) => {
      if (!(each instanceof Mesh || each instanceof Points)) return;
      (each.geometry as BufferGeometry).dispose();
      for (const material of [each.material].flat() as Material[]) material.dispose();
    });
    // The model is drawn again when the browser has taken the graphics away.
    for (const [geometry, index] of this.wholes) geometry.setIndex(index);
    this.renderer.dispose();
  }

  private readonly draw = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      // The colour of the style sheet, which follows the theme.
      const color = new Color().setStyle(getComputedStyle(this.canvas).color, SRGBColorSpace);
      for (const material of this.model.plain) material.color.copy(color);
      if (this.unmeasured > 0 && this.canvas.clientWidth > 0) this.measure();
      else this.renderer.render(this.scene, this.camera);
    });
  };

  /** Draws a part of a large model and waits for the picture; then as much as the machine can turn. */
  private measure(): void {
    const start = performance.now();
    this.renderer.render(this.scene, this.camera);
    const graphics = this.renderer.getContext();
    graphics.readPixels(0, 0, 1, 1, graphics.RGBA, graphics.UNSIGNED_BYTE, new Uint8Array(4));
    const frameMs = performance.now() - start;
    this.unmeasured -= 1;
    if (this.unmeasured === 0) {
      const every = sharersOf(this.elements, frameMs * trialSharers(this.elements));
      const drawn = this.drawEvery(every);
      if (every > 1) this.onThinned(drawn);
    }
    this.draw();
  }

  /** Chooses every n-th triangle and point. @returns their number */
  private drawEvery(every: number): number {
    let drawn = 0;
    this.model.object.traverse((each) => {
      if (!(each instanceof Mesh || each instanceof Points)) return;
      const geometry = each.geometry as BufferGeometry;
      const whole = this.wholes.has(geometry) ? (this.wholes.get(geometry) ?? null) : geometry.index;
      this.wholes.set(geometry, whole);
      const corners = each instanceof Mesh ? 3 : 1;
      const count = whole?.count ?? geometry.getAttribute('position')?.count ?? 0;
      const index = every === 1 ? whole : new BufferAttribute(thinnedIndex(corners, every, count, whole?.array), 1);
      geometry.setIndex(index);
      drawn += (index?.count ?? count) / corners;
    });
    return drawn;
  }

  private lookFrom(direction: Vector3): void {
    const { center, radius } = this.sphere;
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction.normalize(), radius * 4);
    this.camera.near = -radius * 10;
    this.camera.far = radius * 20;
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.camera.zoom = this.fittingZoom();
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** Finds the zoom at which the box of the model, as the eye sees it, fills the canvas. */
  private fittingZoom(): number {
    const { min, max } = this.model.box;
    const seen = new Box3();
    for (const x of [min.x, max.x]) {
      for (const y of [min.y, max.y]) {
        for (const z of [min.z, max.z]) seen.expandByPoint(new Vector3(x, y, z).applyMatrix4(this.camera.matrixWorldInverse));
      }
    }
    const width = Math.max(-seen.min.x, seen.max.x);
    const height = Math.max(-seen.min.y, seen.max.y);
    const least = this.sphere.radius / MAX_FITTED_ZOOM;
    return Math.min(this.camera.right / Math.max(width, least), this.camera.top / Math.max(height, least)) / MARGIN;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    const half = this.sphere.radius / Math.min(width, height);
    this.camera.left = -width * half;
    this.camera.right = width * half;
    this.camera.top = height * half;
    this.camera.bottom = -height * half;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}
