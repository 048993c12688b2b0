// Small sounds of wood, made on the spot: a tick for a lift, a knock for a piece set down, two dull
// ones for a refusal. Off until somebody switches them on.

const STORED = "reedlight-sound";

/** A sound is [pitch in Hz, seconds, delay in seconds], struck one after another. */
const SOUNDS = {
  lift: [[1450, 0.03, 0]],
  place: [[420, 0.07, 0], [1900, 0.012, 0]],
  refuse: [[170, 0.09, 0], [150, 0.11, 0.13]],
};
const LOUDNESS = 0.18;

/** The page's sounds; `on` may be set, and is remembered. */
export function soundBox() {
  let context, on = localStorage.getItem(STORED) === "on";

  function strike([pitch, seconds, delay]) {
    const start = context.currentTime + delay, tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const gain = new GainNode(context, { gain: LOUDNESS });
    gain.gain.setValueAtTime(LOUDNESS, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }

  return {
    get on() { return on; },
    set on(value) {
      on = value;
      localStorage.setItem(STORED, on ? "on" : "off");
    },
    play(name) {
      if (!on) return;
      context ??= new AudioContext();
      SOUNDS[name].forEach(strike);
    },
  };
}
