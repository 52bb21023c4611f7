"""Keys of positions in books of Polyglot's format.

A key is an XOR of constants for the pieces, for castling on either wing, for the file of an en-passant capture, and for
white to move. The capture counts if a pawn of the side to move stands beside the one that moved, whether or not it may
capture. In Chess960, a rook may castle on the king's wing if it is right of its king.

The format is Fabien Letouzey's (Polyglot, 2004). Its 781 constants are facts of the format: its description by H. G.
Muller and Michel Van den Bergh (``book_format.html``) lists them, in this order: 768 for pieces, by kind, colour
(black first) and square; white's king's wing, white's queen's wing, black's king's wing, black's queen's wing; eight
files; white to move. `CONSTANTS` holds them as 64-bit numbers, most significant byte first, in base 85.
"""

import base64
from typing import Any, Final

import numpy as np

from rookery.bitboards.sets import east_one, nort_one, sout_one, west_one
from rookery.kernel import U64, Bits, Word, byte_planes, kernel
from rookery.rules.position import Position
from rookery.rules.zobrist import CASTLING, EN_PASSANT, KEYS, TURN, nibble_keys, nibbles_of

_TEXT: Final = (
    "ojD|aGk0x4D)%{n1*)aTMB4#SBw{s3oE7&zVy9~2b%R7@NSq9bGLWn~ATR;H54)`&VFV(1=sJ*(^7~-Q4SsfASan<w8VEQd&adDtmIc-"
    "D;$FkB&>{a^(K;^GK)vx@N@p%I0TWdeZ`EU!U9^KBM)TR_BcF>cfA<;81<|3dg|wQXXP<<RZjZ@vbV<AafFJD(eG$#E!?&&Qg2!;4cpkUR^C6EMl"
    "@NGrGZc99uTi_^OS6sT=OL6ss$`sQy!}x8jlGzoQm@nthtda2f!C538S}?c)9EVVw5u@iVzHXPdj$ZjLIirm$we%v8VT54B&uvtO`>%GOrJDDbpf"
    "<T6sC{YJdp@NryHAtMjXA914xUNu<?ZtV|yz!|C7K#3DLZoJ=qGBHFai#G@;!)b6zW#q{Lby7;<oM@x4F`AIq%LS-%43(-"
    "5b^&YNXbznDMZ{#}AZpLEerbX2G$QS01Fxw<elT!O^~+nTWY{P+HfG%&J3GE=81xw<{xjC8|j2pceUxx8$L7JM`3e)Nwkg91(<5!D6M!%@9|WoZ1"
    "VEOw$pP2jNf4>G5?me!L-"
    "48wk1LgGNnV`!f*Z7bZ`;*pkNLWm0jHssk+Uk^%Hm=_ziIrxzEdHFAhlf||4b5=NuW85{JjUyX)>=w$3>X@x|Q&sr@!l*6B2m7CeTA6V|P?JG=sH"
    "g2-d&|R(qFR4E8T^WNjP$nDV|sUh-p|0<f=Q%$?hZlsd97(x0q4=^6s)@RcYRlO@kO@2%-*4u+P^BuAQw{nB*V!~`N-"
    "4uyKX5Y@HrCd4B~7HmC1nFq@2+*zrTFM>78aO^dvbsC+4kqkrrG(g*EU%xpYtQRI~K@UqIM%a<MEj5`XP0?v+hEdqE#ZnuV;8nk4F>aI8$(@J}K2"
    "`M8}vnV@yThqL0cwaEvuqh{r}#ZO4Mu1b?e%s+hc86dz-"
    "M<#o{hra^Gw4N&I2_iSFBY!wq{|EL?`0W(Xjp*E|@I1v%oE9@CO|+bev+^uG3kx{yISya6O#u{3TmGfAaVKc$9uP8-"
    "AE$|gnsltWWao^tPk{HJHQM_GV+7Ee3pY5#A#vtLg917TTbpC+obUJyP-?97iHMUz7=f?Jqo)DZWdjHVKy?O0-"
    "_w;doZIxL?~;AI@C+dGdouUY;5LBlx&3w^=P_bK1*hnxeYqQVwTPT<6=Mo@N_7ee&Xsfb&qhq_iJC8p^*Cdk=LNVVJb9r1Re<k*?dHgTgm++_d7g"
    "prTgg8$hEr>d^FoS@m)AE;U<iA2qDEtU|1yO#1V75=48ZH4k`6?bHQhCyaO(*>6|#`bbD@$M7Fis<Rzqx`;i0OH@2pF3V>^$5yCGMY)Lr+lMe+bb"
    "@=q6NlMjIO=<9T1|7Q~a&(~g|u3|sdbZDw@-7H(kOUT&#e(e$sRL?EhBK}lV0Ty2z$ru3XkGYvCfQ#0SYQY0#-"
    "o$7WTXqHZ8|~wxuJtnlLsOOm*2Pu=s+OBvX&lRXsCY8dlJD+TWt1#?Jbn?b-"
    "qO}H%FqP%A@GH8^dRMBv=x($eW^}7k+@mqp37rU5YO{7;O&4)D6Y{!z6-"
    "bA#mpUva!;gIR!H`M@fs&VEhSKC@VDBto5iD!_bIE??=J;I2==19uOLG8%v>l~NCXnPxAnd%uJf--Rz3bh8L#D<<WWg~Qdu|y-"
    "|^@`^ze4(Uo7VE5jU14bbVU$yyem)hJwKrouni^=r);825)e)Kj4rTO~l?9n`asvQ3IN{aU@s6z<NJ`!ymM?v~KCe=1OjSvw@mItL7YsA)p77I#M"
    "biE%9%56_~0|c05WGakFUs_mjkD0^o+A*C>twD(j6g-ZN?{OTolT3-"
    "*$;jR&72EMQ7{7jq`FNKofK1M6U9&%{UZ<vflXuw0|{WG0Q7n&E=Typ(k4r2I?N{8d=W=T#StSo}_QX}Nu|q`*D?`L(yitj2tn{Az;MONLeZoM=q"
    "8#L`3;j>&x~7e#K+X9M4zDJ1EB#YgpiLZ?Jdc;j|N=gQKa{+dMTHZKMG2)#ATI5TDylNIIbIue@Blm;7z9t7WY-yNTwcuSxVJGxi4h;g-@(zmVd-"
    "qH6z_o7wUJHvDM*Yxs4j1236*<0w0(h&crGjCG(|3@h2r$9;C!xF4<qV^lM<Tw4bPbyrne`+<ehtq()rN4Mt7P<G}Y(+XDd!k58iVxLJ^QL&p*`n"
    "i&Ik3Nd-"
    "a~t${I6BPzlua882t8tS3jkcOa)`OpGjK7K;Vay8UT|GjQ^=YF1A9!Xv#SSGGP{<dLHR#(sg;_ogHB12X9+%I1uBRw)R`1G6`F4O11g1HOjUj3Ec"
    "yVsS6}YpU<zcccLYre8R@PQ9fQ{OmO2dLt((mKWQ%#*+HzNOCY3MQjdIw0>yxPQmc}_xnVhpogMlv{8fK*axd|9^>V{V9TH%r5eNR4dL)`x><pWt"
    "1R#&;==bv0S`iFjSh*me4B4cYWr|jqR{bN$`EgoIC`^QVorrp_1pcf0y|x+4bS@rc9ALVGnwB!=Sp=;-"
    "h#P{TJ5jmfP;O^L&6i0euoykHZ~SU`4%xXC#%|MoUJ>YRSaZ~b_IPA|H5sgK8-"
    ">(}(DDq$+PVH^CD@Q54HX@Rt+zH6sAZ*2+`#Y|lf)%vuKADqndh(Sz5oX?NX!2SZQm$bf17IY>-"
    "USVSYmz}6q~vsEYWT%y?Gup(_`=T@Rxa(4C14VG)ivm8h}czxzDFTkbf{j9eBmwP#<OOvja^BH)2ZVq>rZQm3yyYa18%WI&3GCPB9pY)RhBMYP_R"
    "G2#y4miNrGC`9rSf{=Xr(Y&(uVGhsQ?HcxN*Mo#4})(>sY+%ZBTR+c*r%0Z977WEF_k>wMw?-"
    "^B*OJJXqR#pMPHcm1q?6o;Lh<<@}y2q)Zg)u2hvqZ#jIeWTNWz$Ji+Vjr6w745TsdW+Jv?2x(lh*d92Ni-q95_QwdK2-BzT8jsyg-++7R4meS-"
    "E(H;_~V!nHLIO!x2?PZ$dLy=f<h|GFd3@Zf}Q_(Bw8^D6lg_R$MXn-ihibF!f;+gb|b!*mK)C5|Zstd)ZDMju+m%$Jy~{WT$SFlzQM(?pEeJ$jLZ"
    "@`A1)0I-B)dsULyL*`Xi1J(vjO57HoG?ZThRv+`Ehte~*DurM*Gv{7z^HQhJWhZIP!>GlXK1yn9h>-"
    "zdL*Ck6?l2xm<4O1e3xvNa&e=RigX*B`XC@FPO#w=L*ec4IB%|%a-"
    "8O0K6yXZeo%q!l@+=MHBC>i1~x``An0CfYnqr8+I3Q%Fo>GpOGGR=S?3CHD9ymm=1g)dZ-"
    "O{HAPfd~B022amc35itIAOB^5BexFQ8CAr;!!X`LWH9!fM-}Zu=%ic<sMqA$w}7CH1#-D`@I2tVwS6v_UKAO}=-"
    "KSPEc4etFXXXtaOIa!5ixtHc?IW?f4?E@iXTPn7bVKS%LH2hmQIme)#9=TJ}ZmM@D|o>zH~(6lPI99_**Mayxv5&Ni{#}Il5!99nc!D%~MEfAIgf"
    "7{c)d#{Ct(zCpCKd7^bO^$g^I(%*${E#<{|cJKMP|L$QA*s&KWm_?DHT=}bALN|-Qzx1h0f&-"
    "U|f)Z3^>DX&PaE*QKT*>Fl|E#Q`IuP=)nxxpP<9z&phWS1>y-"
    "s3Z1lwyrI(82|T+rZMctB|Ex(sMjRHO8kees$TMl&23(Z0#9?H*cpam;9>B@G!h2dv{5DGEh4bg-"
    "7k*xE#xrd6}Hw_Xz^a&;A)XLynsyf|e%Zi7l1alKSF8k@B<gW8y3ndz>@_#(1{aU?@r)SaXPoP-"
    "U9u34z?wmZ)=WpJjNOWeKD}pYxCHa_I#x<azE}nJ`z3=kkutElKXpR={+nf$A6jRYdpKbg@eBdp`k{{BJ1_5*0QzvcS(*e^Dmex?T*YdUlm;KCiS"
    "BJy&$09WkppiW>+xA@mHidrCOtB{$z<l>rlEZ5?g{O{kZe072-fJHu`Vk98H-"
    "T?!KNdeacmf1MgG9=;PN+B!BH98p)X+}(X3kUb0~HiI)Z&}jDu&S*3rd5JTLtB{ZujnH2-"
    "LzPQ1Qrsowv^c`Hf0*Uz5Zu>}I8mgM+roOaM0g^<n>^cP_$;G>wtIM%7JE#Dzs}LH1dgmwsS%rCHlO~zAOCvD2?W1ItP=Yd7#Hs6uL#<acipKy8w"
    "{(HZe_<rwOQ*O1m)>6!+S-u_}22e!>QaNjH=1$^SHKWT4e|SpTu|GPS%0iXE%+G%<q=VZP-"
    "@XO(l{xqZ!T>u(aDT2RU<f9}?YOijIVyvnPS2;gVc&C{lU#bihmTc?=HzP1;BmJd~4)ohEH+9Kcj8bU^!oWeCLn6EcMZ-"
    "$){#*1vnM<UFiENI2GCZuWGK9u*@f^D&L;kAxYcNb;7ya>#>9Sy#0Y*PtV(GGMe^l<UZ=&$Vr?pTP|en3<E{-"
    "e{sVTa(J>q)h&Ku2YM?ogIYy&Nmb#QPQ!iE#I~_FW2O`=Pc8VWy)KYw^bq#-"
    "D#lMt2<O}U`<i7U%znTbE=9~Pq(a|8jK#9E0hsPs>BK>1KGZyc1^ynf28xK9+|mraH+nFEMA@KSMNtdI+Ks?GSZoWCg$6Z{q?Q>Mw3>>1ni%k$aX"
    "wi2+@#?KWu9FS=azoe|*D~Afu&4oBJYuz4XP-i36Q^*8E&tkLZh6FkULQpq`A3HLI51`hGb%gECiB*0#{>#uvt!-"
    "|8Xio^@B_wtOF?foKZ&${sg`spll+9Q=#z4QLiQ(T#;k(Ll=TPSE~-"
    "oyik5<lFFLM054h7h(B2MAfeTQ;CjDIS|@ab4}<NA8x~%CV;Ubx}uGjDT?wj$Xl<gd4ulLbO=Y)X2GJNrVQALo)_enLZjrt?X*<qy4(l_P`3oiwg"
    "ST`Ov4xZoZZkPX0(G{p0Da6A)A-"
    "tZ~TG1CLT^q3Nt#LAL7iXWf$9!*HBIRh!*X;xmO>cO~8rB9oz#YC7UPS&p$?pfF8N3^!3nO5X!PcIJQz;A*3q~HuerHr21$8>ot>rF>~O~oJ`gwd"
    "|EaGuM9DLGOenLC5~Ev#~@5gi-?_KO+<)Y^wC9^=3w|$)HHu)?1@3c=9%q<u-"
    "~)|By#p3d@Tfo!lCE2v{|mTt50N6%pFDSV|I0Nu03INrJf7X0dpEC5p4h#%ao4^EcwXF1ut%&3keE!V5w;1tM1*h-"
    "QaKWSnt6L2BHRy#^ri=``L!zE~|{DJm><~6rq)50T%N%d<ZDrVot-5*Gs;4<`HVgfJ9cW5cT_0>*?w$-$NnC10k9@?pS&-"
    "NqB$n7q6Klq3JLT*ir>ZTSes}<gv8xw46IRl?fU))JY1}Ch<fu5~%VPuap?V03U;V$2A2c7<aWESEppvqJ=wv@qbwEnLZuoEjH5-"
    "vsr+E&Sa)mB`;ae4W9(N(makAZ4ovA8`=bt=j2#!A>h4GCdL`RI|+K)@QC?NjTGM7FusIt`CR{^I`#JSIB{?XVYBx`%4aK)>E!wrWXR<)zx6v+Bo"
    "bilO3~<j5Nrv#a?<D`f4Uh|5ar4+c!b%!Y_)0F21noR&524WV^=@$J|ahSPsr(350SAW9l2KIP$yS;xY-hPx#`sVqU-KQ;`{vJ+41uX&6oQL@9k6"
    "9U)D}*E^PwCU>Ej(sj5vN+XzmZwoB;PvQw79aLa1<!qvR+nDBO__o6Z`zl28!1?HPyl*1(-"
    "2Kfy0J^(&pYGsk>xh1B}1R<~UVZG5Xd}iYSzl~7{;(iTCBnq{9i-?OL{D)ynuPA;8?*h%xZ~e3~p$IGlX5VZIf)(X=024CE)0?@&q>Z-"
    "ECpaaRG%#EgVb4#L$$j}f8*8khu1*qLb&o|1h*vHPm7iFBP<n$|uw&_B;6?RKVCd~~z~A-"
    "Jdt{e|RWfg%{Rj;sZKxEwjFA1C2tP$w5N~q+f#SuGd3FOjIrrI8r0fAQc1)m4b3Ug9`sDg|wAlB1!{uRTo+0%41G7KbopxS9pSGWE(+miUrXHp5U"
    "6eC_zpsB=8cs+e>rHxDZ~k-W8)JX7-"
    "T7C%HrTn!WYFTC>WDbA2;H0C*=wI;2!46xrF|U}<0#@V<KnaX93@%f4+%!TatrnHZ%r<$uy;)+9L5RTL_cKgS~n4uK@!hsWSS-"
    "p*c0;lxAn!!W(_h|I0!-RS*$F0bNLXX=th<}cV`+GleROf`ZQ_yz`*sU4)o2>%JLq~LwB-_S0{G|8JmH1P;3#o*$#^x*gV2$dKo2ON-"
    "4%hS}{z~?Je>W79&uXwPReB|8kb%BCh~CwsPnZQs-h>YxaUQn(L!F#_YzhluvEoku=}7Y)8JxgQwm(YS2f-"
    "Frgs?rLoW3psPS<d_~wZukd(cP?GPJ3KrT6lQ`y_1uKqwMOsTt{xIY9YXasmm8}f;YZtO4y4JrZ(csL|Te-n$-"
    "VBMQR=KWlPzGL8S|L34oDpgICwI7Xc<t}jl&>D`ZOJ{ACZ!H&?w9ma@Mn?jGOG^TX=ek|I%reJ=Lc7(F@{|2VIcE;Xa4zJl3;j{A1fUn753bmww^"
    "esmRxIPs*xH07);Fc^gMGYbMj0R`$|1|N}7PuHBiDbAJ!0@Hy?NBYq&vvYx<h5Ucgs*%>?uR02)Vl<0myD21J0$pOH|D|Ifin1e$+A1{$7V{I<SB"
    "sq+4t2;PbucbD3mkC=z%2ZuGGwX_EvzsEXeBMvk@`=E_8L+yWB53Xf>I*6eAys%tjA%{zgO)b1n8{VNVHTI~<Q@~}$$mTUD<4PSR4tkAi*04=Gc2"
    "V7aUXUk#e6yY{ECg>N1}(;Yu?w_W6D<lRKdIgOXX5dh4hgu985H-"
    "g5a_d7^X{uRp6%?Y;&Qn&)W;aSO6aa%fm3Z@5pet<k+n4Vg@K9&?16XqKadG{84htzt)&%iwUWO%ur^6!iNjFHldgTitOPD___KrZw3|}phoSCZ`"
    "xP(a|0ddrK4xxjX|604J5)}-R7@H9=mnwTkk2GmB(pr7e$r7F=SMR_dvfr>3V=-"
    "*w+VE0SK}~kh#uQdO6S(2ZnfLXEsaz%6>wz8(dJ3s9)Bi_iZY5E?fz9P2cxdXmL$j8gj9XpJ|H}lnF^TwP;t^@8c*>i7Vi9s_V@i1F>yiwFu+?Iq"
    "cZdyjV3m@6;-"
    "E(M#=uQT@ncb%<Kwtw49kCPMs(xHDAP%8SAhqLtV=cMp@FgLxhSfmOk>yYcswvbof!2uv#vCS`SoB(y{v(19EV4!r?Tr$M&i%<(leYH7AF<px44L"
    "m{aPuJ6;PltG&(F?OX_8&js4`tc`cDNy^lW>-"
    "47{dQ1@PAy~ww+36~xM!#{M6Rwwy3I0`Aa|D^Mk`+n+PD^lGl8`&3|5tJ%!A}Z0Rkk!t`FgLexMCt(1zTxg%D|fY-"
    "O|mp+W6^$pXqB~wf+2EF*3xMF$}YS+i!IP=zqILA$m3rAp)*OZo3gk_*9-"
    "6I;G$Z2d0|+%t9s_#K9Q9=a1^H`Sgh{*=y7|8uQ!YU5`cD^|Y|C(%$a0mMYHgs4g6Y1a3acuSGoR@Ldv?fs~p|mPdikb4xsgoG#QrfzDsOQZ6I&l"
    "3p>M7k&Ww{4)2EE5-_Art`D%A}hbHVRBXmNMecI%spp-eaCoPj{W?Ait~ptz$>YMAFE{QDWcu?<k>=#BFzR`ouF98ctr9HB*5b`w*VQiBQOKCrqA"
    "ZB)rP$R#ljc%URF1VUn#sRe!6mPjFbsW3Rb1?zvGf}*OYdsPT~y)o=g&Hx}?817w_&xu-"
    "@iC9hI=9{P_#Ulgr??nZj6IW%^GddMj;t)%oaHDJ2Be!nL43aYq_&Sug@3v{oJf&M$^S$_EnMe5rCjyDo`{CxtVENAkJ|#v8MtLFEpN6%RHYtDWp"
    "7pK3v!I3<<zWTidHB>sBI6fNYR|9X5q3^P(lg@38%3Y;?4>f}=e=ENa*#JjmJaq-"
    "S1kkShW@w~&*b+6?b=P2mNJTpLamizcR5{O15fuU5N)>l2HU#EtAuQlOGR+w%s^X&;6k$)Z4_=s#_(hZD=$p7YFG1nc=WU|8$@nyA#--"
    "&^crG8^M-7NE<9`@$jv6ddmaLjYr3&L(B;u>o;-"
    "wZm}06LS{vVdt~9GTwJJh+gd&oM>b3f)49(BwjTRTTSjcg7*ipR=TcXQNH5LsnG__|_(>uP22G"
)
CONSTANTS: Final = np.frombuffer(base64.b85decode(_TEXT), ">u8").astype(U64)
_CORNERS: Final = (7, 0, 63, 56)  # of the rooks that castle on the king's and the queen's wing, white's first
_LAST_RANK: Final = 56


def _in_order() -> Any:
    """Return the constants in the order of `KEYS`; of the rooks that may castle, those in the corners have one."""
    keys = np.zeros_like(KEYS)
    by_kind = CONSTANTS[:768].reshape(6, 2, 64)
    keys[:CASTLING] = np.concatenate([by_kind[:, 1], by_kind[:, 0]]).reshape(-1)
    keys[[CASTLING + square for square in _CORNERS]] = CONSTANTS[768:772]
    keys[EN_PASSANT:TURN], keys[TURN] = CONSTANTS[772:780], CONSTANTS[780]
    return keys


POLYGLOT_KEYS: Final = nibble_keys(_in_order())
POLYGLOT_PLANES: Final = byte_planes(POLYGLOT_KEYS)
_NIBBLES, _VALUES = 16, 16  # nibbles of a word, and their values


@kernel
def _wings_of_rank(rooks: Bits, king: Bits) -> Bits:
    """Return files a and h if a rook left or right of the king may castle. The king stands there if any may."""
    return (1 if rooks & (king - 1) else 0) | (128 if rooks & ~(king | (king - 1)) else 0)


@kernel
def wings_of(castling: Bits, kings: Bits, white: Bits) -> Bits:
    """Return the corners on the wings where a rook may castle; `castling` are these rooks."""
    first = _wings_of_rank(castling & 0xFF, kings & white & 0xFF)
    return first | _wings_of_rank(castling >> _LAST_RANK, (kings & ~white) >> _LAST_RANK) << _LAST_RANK


@kernel
def polyglot_key_of(p: Position) -> Word:
    """Return the key of a position in Polyglot's books."""
    black = p.turn
    beside = nort_one(p.en_passant) if black else sout_one(p.en_passant)
    target = p.en_passant if (east_one(beside) | west_one(beside)) & p.pawns & p.us else U64(0)
    white = p.them if black else p.us
    words = nibbles_of(p, white, wings_of(p.castling, p.kings, white), black ^ 1, target)
    key: Word = 0
    for n in range(POLYGLOT_KEYS.size // _VALUES):
        k, place = n // _NIBBLES, 4 * (n % _NIBBLES)
        key ^= POLYGLOT_KEYS[_VALUES * n + ((words[k] >> place) & 15)]
    return key
