// The Huffman codes of AAC (ISO/IEC 14496-3, tables 4.A.1 to 4.A.12), one word for each index in base 36: a one that only marks
// where the code begins, and the code's bits behind it.

export const SCALE_FACTOR_CODES = `
  b8iw b8iu b8iv b8it mh2t mh2p mh2l mh2u mh2m mh2n mh2o mh30 mh31 mh33 mh32 mh2v mh2w mh2z mh2x b8is mh2y b8ir 5m9b
  5m9c 2t4l 5m9a 2t4i 2t4j 2t4k 2t4h 1ek6 1ek7 pa1 p9x p9z p9v p9y p9u cmv cmt 6bd 6bb 6ba 35l 6b8 35k 1kp 1kn 1kl
  s8 s7 e2 e0 dy 6x 3e 3c 1m r c 2 q s 1n 3d 3f 6w 6y dz e1 s6 s9 1kk 1km 1ko 35h 35g 35i 35j 6b9 6bc cms cmu cmw
  pa0 p9w 2t4g 1ek4 2t4m 1ek5 b8iq mh21 mh22 mh23 mh24 mh25 mh26 mh20 mh1u mh1v mh1w mh1x mh1y mh2q mh27 mh2f mh2g
  mh2h mh2i mh2j mh2e mh28 mh29 mh2a mh2b mh2c mh2d mh1z mh2k mh2s mh2r`;

/** The codewords of spectrum codebooks 1 to 11, in this order. */
export const SPECTRUM_CODES: readonly string[] = [
  `
    35k s1 35p 1kl 6g 1kg 35j rw 35h 1kh 6q 1kk 6s 1d 6u rv 6k 1km 35o rl 35d s0 69 s6 35e ru 35n s2 6h rx 6v 1j 6n rq
    6c rp 6f 1h 6a 1e 2 1g 6d 1i 6l rt 6b ro 6j 1f 6p rn 6o s3 35q rr 35f rz 68 ry 35c rm 35m 1kj 6i rs 6t 1c 6r s4 6m
    1kn 35i rk 35l 1ki 6e s5 35r s7 35g`,
  `
    s3 6n sd dn 2r dm s7 dk sa du 31 6o 2o 12 2z 6m 2w dl s9 6e e0 dj 2j dt s4 6j s5 do 2y 6k 30 16 2v 6f 2i dx 2s 14
    2n 15 8 13 2l 17 34 dr 2k 6c 2m 18 2x dv 33 ds sc 6p s2 dw 2p di dz 6g s8 dq 2q 6d 35 i 2u dp 2t 6i sb 6q se 6h 32
    dy sf 6l s6`,
  `
    2 p dr r 1l ds rv rq 1ki q 39 rz 38 3b rt rx rr 1kj ry 1kd cmy rw s2 35l 35k 1ko 6bc o 3c 1km 3a 6t 1kh 1kb 1kc
    6b8 1k 6u 35g 3d 6s 1kf s3 s4 35i rs 1ka cn0 du s1 6bf 1kl 35f 6bg dq 1kn 1eke s0 35h 1ekd cmz pa2 2t4v dt 1kg pa4
    ru 1ke pa3 6ba 6be 1ekc 35e 6b9 2t4u 1kk 35j 1ekb 6bb 6bd 1eka`,
  `
    n 1i dy 1k o dr rz dv 35k 1l 1j dp 1h h de ds 6o 1kg ry dt 35m dq dg 1ki 35i 1kf 35p l 1g du p k dh dw dk 1kk m i
    dj j g 6j df 6h s3 dn di 1km 6m 6i s4 1kc s0 1kp dx do 35n dm 6n 1kn 35l 1kj 6bj dl 6l 1ko 6k 6g s5 1ke s2 35g 35j
    1kh 6bi 1kd s1 35h 35q 1kl 35o`,
  `
    cn3 6bb 35g 354 1kh 35a 35l 6bc cn1 6bh 35d 1k8 rs ds rw 1ke 35e 6be 6b8 1kf s2 dk 6o do s0 1ka 35f 357 rv dm 1m o
    1l dq rz 359 1kg du 6r r 2 q 6p dv 355 35b ry dr 1k p 1n dn rt 358 35i 1kb s3 dp 6q dl s1 1kd 35j 6ba 35c 1k9 rx
    dt ru 1kc 35k 6bd cn0 6bg 6b9 356 1kj 1ki 35h 6bf cn2`,
  `
    35q 1kt s1 rv s4 ru s0 1ks 35p 1km rp dm 6k 6p 6g ds rq 1kn s3 dr 36 2v 2w 2u 35 dn s7 rs 6n 32 o k m 2x 6j ry rz
    6q 31 i g j 33 6r sa rr 6m 2z n h l 30 6l rw s9 dq 34 2s 2y 2t 37 do s2 1ko ro dp 6i 6o 6h 6s dt 1kq 35r 1kp s6 rx
    s8 rt s5 1kr 35o`,
  `
    2 d 3b 6s du rv 1kd 35j c s 39 6p do dq ry s5 3a 38 6q dm dt rt s3 1kl 6r 6o dn ds s1 s0 1kc 1kq dv dp rs rz 1kf
    1kh 1kp 35n rx dr ru s2 1kj 1ko 35l 35o 1ke rw s4 1kk 1kn 35k 6bh 6bi 35i 1kg 1ki 1km 35m 35p 6bg 6bj`,
  `
    1a l 1c 34 6n dt sa 1ku j 8 k 1e 30 6i 6t e0 1b i m 1g 32 6h 6q dx 33 1d 1f 2y 36 6k do e2 6p 2z 31 35 6l 6o du s9
    dr 6g 37 6j 6m dq e1 1ks s8 6s 6r dp ds dy s6 sd 1kt dv dw dz s7 sb sc 1kv`,
  `
    2 d 3b dj ri 1ji 1jt 348 34d 6a0 6al cmc cmk c s 39 6q dm dp rm 1jl 1jn 1k0 34o 6a7 6ad 3a 38 6p dk do rl 1jj 1jx
    1jv 34g 69z 6ac 6as di 6o dl rh rn 1jm 1jw 34c 34a 34u 6ag 6ay cm3 rj dn rg rq 1jp 1jy 34b 34t 34s 6a5 6aq 6av cm9
    1jk rk ro 1jq 345 34h 34r 6aa 34w 6ah 6az cmb cmh 344 rp 1jr 346 34f 34q 6a3 6ai 6ar 6ax cme cmr cmv 34j 1js 1k1
    34k 34p 6ab 6am cm5 cm1 cma cmi cmp cmu 34i 1jo 1ju 347 34n 34y 6a6 6aj cm0 cmm p9s cms p9u 34x 1jz 349 34m 6a2
    6a8 6at 6au cmj cmn p9v p9w p9x 6ao 34e 34l 69y 6a9 6ap cm8 cmg cmo p9t pa0 p9y 1ekc 6aw 34v 6a1 6af 6ak cm4 cm7
    cml cmt pa1 pa3 1ekd 1eke cmf 6a4 6ae 6an cm6 cm2 cmd cmq pa2 p9z pa4 pa5 1ekf`,
  `
    2q 14 2l 2u 67 cz r3 1jk 1jr 1kd 35c 35i 6bh 13 g h 15 2o 5w 68 d1 d8 r8 1jh 1jy 353 2k i 12 18 2m 2w 63 ct d5 r2
    rg 1jt 1kh 2t 17 16 19 2s 5z 69 cs d9 r0 ri 1jn 1k7 65 2p 2n 2r 2v 61 6c d4 db r6 rm 1jx 1ke cx 5x 2x 5y 60 6a cu
    dc de re 1jo 1k3 357 qx 66 62 64 6b cq d6 qv qy rk 1jv 1k8 358 rn cy cr cw d3 d7 qu r9 rc 1je 1ju 356 35d rl d0 cv
    d2 da dd r4 ra 1jl 1jp 1ki 35a 35n 1k9 r1 qw qz r5 rb rj 1jj 1k0 1kf 352 35k 6be 1kb rh r7 rd rf 1jm 1jg 1jw 1ka
    359 35f 35l 6bd 35e 1ji ro 1jf 1js 1jq 1k2 1k5 354 35g 35h 35j 6bf 35m 1kc 1jz 1k1 1k4 1k6 1kg 355 35b 6bc 6bi 6bg
    6bj`,
  `
    g 12 2h 59 bg cm pz 1hs 1j6 1jz 352 35f 6bf 358 6be 6bi 1hq 11 h 14 2c 53 5e b6 bz pd px qd 1i6 1j4 1ia 1jh 34m by
    2f 13 15 2g 55 5c b2 bn c8 pl q4 qp 1ip 1hy 1j2 1je bh 58 2d 2e 2i 57 5g b5 bp ce pi q6 qh 1i9 1ht 1id 1jp b8 be
    52 54 56 5d b0 bf c0 cj pq q3 qk 1i7 1hr 1ih 1jj b7 cf 5a 5b 5f 5h bi br c9 pg pu qi qr 1ie 1if 1iz 1jo bj ps b3
    b1 b4 bc bq c6 ck pr q7 qn 1i1 1j3 1is 1jd 1k7 bs qe bv bo bu c2 ci cl pk pw qg 1ho 1ic 1j8 1ja 1jx 1k8 bx 1in pe
    cd cc pa pj pm pv q9 1hp 1i0 1iv 1jn 1jl 1jv 34t c4 1jy q1 pn po pt q2 q5 qb 1hn 1iq 1iw 1ji 1k1 1k0 34i 351 c7
    34z qj q0 py q8 qa qf 1i3 1i2 1iy 1it 1jq 34n 1k4 34o 356 ca 354 1i8 ql qc 1hm qs 1hu 1ii 1io 1j0 1jr 34k 34s 34r
    34l 35c ch 35n 1jc 1ib 1hx 1i5 1ik 1im 1j9 1js 1k2 1k6 350 353 34w 355 35j pc 35e 1hv qm qo 1hw 1hz 1il 1j7 1j5
    1jm 34q 34p 34v 357 35g 35m ph 35k 1j1 1i4 1ij 1ig 1ir 1ix 1jk 1k3 1k5 34y 34u 359 35d 35l 35o pf 6bh 1jw 1iu 1jb
    1jg 1jf 1jt 1ju 34j 34x 35a 35b 35h 35i 6bg 6bj pp qq c5 bl ba bb b9 bd bk bm bw bt c1 c3 cb cg pb 10`,
];
